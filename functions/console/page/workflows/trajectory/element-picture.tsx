import { useState } from "preact/hooks";
import { useKeptPicture } from "../../data/use-kept-picture.ts";
import type { Point } from "./edit-elements.ts";
import { type ElementView, pictureOf } from "./element-view.ts";

export interface Display {
  readonly width: number;
  readonly height: number;
  /** Number of pixels of a picture in each unit. */
  readonly scale?: number | undefined;
}

interface ElementPictureProps {
  readonly view: ElementView;
  /** Of the recording, in the units of places; null is unknown. */
  readonly display: Display | null;
  readonly alt: string;
  /** Gets the place of a click on the picture. */
  readonly onPoint?: (point: Point) => void;
}

const usualDisplay: Display = { width: 1_280, height: 800 };

/**
 * The screen on which an element is done, with its place marked: the kept picture; without one the recorded piece at its
 * place on the small picture of the whole.
 */
export function ElementPicture({ view, display, alt, onPoint }: ElementPictureProps) {
  const { url: kept } = useKeptPicture(view.screen && pictureOf(view.screen));
  const [natural, setNatural] = useState<Display>();
  const { width, height, scale = 1 } = display ?? natural ?? usualDisplay;
  const thumbnail = view.pieces.find((piece) => piece.thumbnail !== undefined)?.thumbnail;
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  if (kept === undefined && view.pieces.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: fields beside the picture are the keyboard's way.
    // biome-ignore lint/a11y/noStaticElementInteractions: as above.
    <div
      class={onPoint === undefined ? "shot" : "shot shot-clickable"}
      style={{ aspectRatio: `${width} / ${height}` }}
      onClick={(event) => {
        if (onPoint === undefined) return;
        const box = event.currentTarget.getBoundingClientRect();
        onPoint({
          x: Math.round(((event.clientX - box.left) / box.width) * width),
          y: Math.round(((event.clientY - box.top) / box.height) * height),
        });
      }}
    >
      {kept === undefined ? (
        <>
          {thumbnail === undefined ? null : (
            <img class="shot-whole shot-blurred" src={dataUrl(thumbnail)} alt={alt} />
          )}
          {view.pieces.map((piece) => (
            <img
              key={`${piece.x} ${piece.y}`}
              class="shot-piece"
              src={dataUrl(piece.png)}
              alt={thumbnail === undefined ? alt : ""}
              style={{
                left: percent(piece.x, width * scale),
                top: percent(piece.y, height * scale),
                width: percent(piece.width, width * scale),
                height: percent(piece.height, height * scale),
              }}
            />
          ))}
        </>
      ) : (
        <img
          class="shot-whole"
          src={kept}
          alt={alt}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setNatural({ width: naturalWidth, height: naturalHeight })
          }
        />
      )}
      {view.points.map(({ x, y }, at) => (
        <span
          key={at}
          class="shot-point"
          style={{ left: percent(x, width), top: percent(y, height) }}
          aria-hidden="true"
        />
      ))}
    </div>
  );
}

function dataUrl(png: string): string {
  return `data:image/png;base64,${png}`;
}
