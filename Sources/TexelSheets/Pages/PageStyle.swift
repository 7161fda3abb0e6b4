/// CSS shared by all pages, with a light and a dark theme.
enum PageStyle {
    static let text = """
        :root {
          color-scheme: light dark;
          --paper: #fafaf8; --card: #fff; --ink: #1d1d1f; --faint: #62626a; --line: #dcdce0;
          --accent: #0a64c2; --good: #14743a; --bad: #b3261e; --before: #c3cbd6;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #161618; --card: #212124; --ink: #ececee; --faint: #a0a0a8; --line: #38383d;
            --accent: #6cb0ff; --good: #6fd391; --bad: #ff8d85; --before: #4b5360;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
        header { padding: 20px 24px 12px; display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: baseline; }
        h1 { font-size: 20px; margin: 0; overflow-wrap: anywhere; }
        main { padding: 0 24px 48px; }
        .faint { color: var(--faint); }
        .bad { color: var(--bad); }
        a { color: var(--accent); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        input[type=search] {
          font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
          padding: 6px 12px; min-width: min(280px, 100%);
        }
        button {
          font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
          padding: 4px 10px; cursor: pointer;
        }
        [hidden] { display: none !important; }
        @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

        """
}
