import { useEffect, useRef, useState } from "preact/hooks";
import type { RunStep } from "../../../../shared/contract/run/run-step.ts";
import { useKeptPicture } from "../data/use-kept-picture.ts";
import type { Point } from "./run-words.ts";

interface StepPictureProps {
  readonly runId: string;
  /** The step whose picture it is. */
  readonly step: RunStep | undefined;
  /** Marked, in the picture's pixels. */
  readonly points?: readonly Point[];
  readonly alt: string;
}

/** The screen after a step. It is asked for when it comes into view. */
export function StepPicture({ runId, step, points = [], alt }: StepPictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(frame);
  const size = step?.screenshot ?? null;
  const { url } = useKeptPicture(
    isSeen && size !== null ? stepPicturePath(runId, step?.index ?? 0) : undefined,
  );
  const { width, height } = size ?? { width: 16, height: 10 };
  return (
    <div ref={frame} class="step-picture" style={{ aspectRatio: `${width} / ${height}` }}>
      {url === undefined ? (
        <span class="step-no-picture">{size === null ? "no picture" : ""}</span>
      ) : (
        <img src={url} alt={alt} draggable={false} />
      )}
      {url === undefined
        ? null
        : points.map(({ x, y }) => (
            <span
              key={`${x} ${y}`}
              class="step-point"
              style={{ left: `${(100 * x) / width}%`, top: `${(100 * y) / height}%` }}
              aria-hidden="true"
            />
          ))}
    </div>
  );
}

export function stepPicturePath(runId: string, index: number): string {
  return `/v1/runs/${encodeURIComponent(runId)}/steps/${index}/screenshot`;
}

function useSeen(frame: { readonly current: HTMLElement | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setSeen(true);
      },
      { rootMargin: "200px" },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame]);
  return isSeen;
}
