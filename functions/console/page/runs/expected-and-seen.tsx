import { useEffect, useRef, useState } from "preact/hooks";
import type { RunStep } from "../../../../shared/contract/run/run-step.ts";
import { pieceLeftHeader, pieceTopHeader } from "../../../../shared/vocabulary/run-steps.ts";
import { type KeptPicture, useKeptPicture } from "../data/use-kept-picture.ts";
import { differences } from "./differences.ts";
import { stepPicturePath } from "./step-picture.tsx";

interface ExpectedAndSeenProps {
  readonly runId: string;
  readonly step: RunStep;
}

/** The piece of the recorded screen that a step looked for, the same place as it was seen, and where they differ. */
export function ExpectedAndSeen({ runId, step }: ExpectedAndSeenProps) {
  const expected = useKeptPicture(step.expected ?? undefined);
  const seen = useKeptPicture(step.screenshot === null ? undefined : stepPicturePath(runId, step.index));
  const [recorded, there, marked] = [useCanvas(), useCanvas(), useCanvas()];
  const [share, setShare] = useState<number | undefined>();
  useEffect(() => {
    if (expected.url === undefined || seen.url === undefined) return undefined;
    const canvases = [recorded.current, there.current, marked.current];
    let isHere = true;
    const draw = async () => {
      const [piece, screen] = await Promise.all([decoded(expected), decoded(seen)]);
      if (isHere) setShare(drawn(piece, screen, placeOf(expected), canvases));
    };
    // A browser that cannot draw shows the pictures below, whole.
    draw().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [expected.url, seen.url]);
  return (
    <div class="expected-and-seen">
      <figure>
        <canvas ref={recorded} role="img" aria-label="The recorded piece of the screen" />
        <figcaption>recorded</figcaption>
      </figure>
      <figure>
        <canvas ref={there} role="img" aria-label="The same place as it was seen" />
        <figcaption>seen</figcaption>
      </figure>
      <figure>
        <canvas ref={marked} role="img" aria-label="The difference, marked on what was seen" />
        <figcaption>
          {share === undefined ? "difference" : `${(100 * share).toFixed(1)} % of it differs`}
        </figcaption>
      </figure>
    </div>
  );
}

function useCanvas() {
  return useRef<HTMLCanvasElement>(null);
}

async function decoded({ url = "" }: KeptPicture): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

function placeOf({ headers }: KeptPicture): { readonly x: number; readonly y: number } {
  return { x: Number(headers?.get(pieceLeftHeader)), y: Number(headers?.get(pieceTopHeader)) };
}

function drawn(
  piece: HTMLImageElement,
  screen: HTMLImageElement,
  { x, y }: { readonly x: number; readonly y: number },
  canvases: readonly (HTMLCanvasElement | null)[],
): number | undefined {
  const { naturalWidth: width, naturalHeight: height } = piece;
  const [recorded, seen, marked] = canvases.map((canvas) => {
    if (canvas === null) return null;
    canvas.width = width;
    canvas.height = height;
    return canvas.getContext("2d", { willReadFrequently: true });
  });
  if (!recorded || !seen || !marked) return undefined;
  recorded.drawImage(piece, 0, 0);
  seen.drawImage(screen, -x, -y);
  const read = (context: CanvasRenderingContext2D) => context.getImageData(0, 0, width, height).data;
  const { pixels, share } = differences(read(recorded), read(seen));
  marked.drawImage(screen, -x, -y);
  // Putting pixels replaces what is there; drawing lays them above it.
  const layer = document.createElement("canvas");
  layer.width = width;
  layer.height = height;
  layer.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  marked.drawImage(layer, 0, 0);
  return share;
}
