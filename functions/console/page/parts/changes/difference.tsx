import { textDifference } from "./text-difference.ts";

/** What was removed is struck through, what was added is underlined; screen readers say so. */
export function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <p class="difference">
      {textDifference(before, after).map(({ kind, text }, at) =>
        kind === "removed" ? (
          <del key={at}>{text}</del>
        ) : kind === "added" ? (
          <ins key={at}>{text}</ins>
        ) : (
          <span key={at}>{text}</span>
        ),
      )}
    </p>
  );
}
