/// CSS of the gallery.
enum GalleryStyle {
    /// Returns the CSS.
    ///
    /// - Parameter side: The longest side of the thumbnails in pixels.
    static func text(side: Int) -> String {
        """
        #grid {
          list-style: none; margin: 0; padding: 0; display: grid; gap: 16px;
          grid-template-columns: repeat(auto-fill, minmax(min(\(side + 16)px, 100%), 1fr));
        }
        #grid li { content-visibility: auto; contain-intrinsic-size: auto \(side + 60)px; }
        #grid a {
          display: block; height: 100%; padding: 8px; border-radius: 10px; background: var(--card);
          border: 1px solid var(--line); color: inherit; text-decoration: none;
        }
        #grid a:hover { border-color: var(--accent); }
        #grid .box { display: flex; align-items: center; justify-content: center; min-height: \(side * 3 / 4)px; }
        #grid img { display: block; max-width: 100%; height: auto; border-radius: 4px; }
        #grid .name { margin-top: 6px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        #grid .facts { font-size: 13px; }
        .none { font-size: 32px; }
        #view {
          width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none;
          border: 0; margin: 0; padding: 0;
          background: rgb(0 0 0 / .97); color: #f2f2f4; overflow: hidden;
        }
        #view::backdrop { background: none; }
        #view figure { outline: none; margin: 0; height: 100%; display: flex; flex-direction: column; }
        #view .stage {
          flex: 1; min-height: 0; display: flex; align-items: center; justify-content: center; padding: 12px;
        }
        #view img { max-width: 100%; max-height: 100%; }
        #view figcaption { padding: 0 64px 14px; text-align: center; overflow-wrap: anywhere; }
        #view a { color: #9cc8ff; }
        #view button {
          position: absolute; top: 50%; background: rgb(0 0 0 / .5); color: #fff; border-color: #777; font-size: 20px;
        }
        #previous { left: 12px; } #next { right: 12px; } #view #close { top: 12px; right: 12px; }

        """
    }
}
