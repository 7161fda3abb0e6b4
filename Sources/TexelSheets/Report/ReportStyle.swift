/// CSS of the report.
enum ReportStyle {
    static let text = """
        #chart {
          margin: 0 0 20px; padding: 12px 16px; background: var(--card); border: 1px solid var(--line);
          border-radius: 10px;
        }
        #chart figcaption { margin-bottom: 8px; }
        #chart svg { display: block; width: 100%; height: 160px; }
        .before { fill: var(--before); background: var(--before); }
        .after { fill: var(--accent); background: var(--accent); }
        .key { display: inline-block; width: 11px; height: 11px; border-radius: 2px; }
        #chart a:hover rect { opacity: .7; }
        .scroll { overflow-x: auto; margin-bottom: 24px; }
        table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); }
        th, td { text-align: left; padding: 4px 10px; border-bottom: 1px solid var(--line); white-space: nowrap; }
        td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 160px; }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        th { padding: 0; }
        th button {
          width: 100%; border: 0; border-radius: 0; background: none; font-weight: 600; text-align: inherit;
          padding: 8px 10px;
        }
        th[aria-sort=ascending] button::after { content: " ▲"; }
        th[aria-sort=descending] button::after { content: " ▼"; }
        article {
          margin-bottom: 16px; padding: 12px 16px;
          background: var(--card); border: 1px solid var(--line); border-radius: 10px;
          content-visibility: auto; contain-intrinsic-size: auto 480px;
        }
        article:target { border-color: var(--accent); }
        h2 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
        article p { margin: 2px 0 8px; }
        .tools { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; margin-bottom: 8px; }
        .tools button[aria-pressed=true] { background: var(--accent); border-color: var(--accent); color: var(--card); }
        .frame {
          overflow: auto; max-height: 80vh; border: 1px solid var(--line); border-radius: 6px; width: fit-content;
          max-width: 100%;
        }
        .stack {
          position: relative; cursor: ew-resize; touch-action: pan-y; user-select: none; width: var(--width);
          max-width: none;
        }
        .stack.fits { max-width: 100%; }
        .stack img { display: block; width: 100%; height: auto; pointer-events: none; }
        .stack.zoomed img { image-rendering: pixelated; }
        .stack .top { position: absolute; inset: 0; clip-path: inset(0 0 0 var(--cut)); }
        .stack .edge {
          position: absolute; top: 0; bottom: 0; left: var(--cut); width: 2px; margin-left: -1px; background: #fff;
          box-shadow: 0 0 3px #000; pointer-events: none;
        }
        .stack .mark {
          position: absolute; border: 2px solid #fff; box-shadow: 0 0 0 1px #000, inset 0 0 0 1px #000;
          pointer-events: none;
        }
        .pair input[type=range] { width: min(420px, 100%); accent-color: var(--accent); }

        """
}
