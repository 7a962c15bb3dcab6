export interface ByteRange {
  readonly first: number;
  /** Included. */
  readonly last: number;
}

/**
 * The part of an object that a Range header requests; "whole" when there is none or it is not a single range of
 * bytes, which S3 ignores too; "unsatisfiable" when it is beyond the end.
 */
export function readByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "whole" | "unsatisfiable" {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return "whole";
  if (from === "") {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? "unsatisfiable" : { first: sizeBytes - length, last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== "" && Number(to) < first) return "whole";
  return first >= sizeBytes ? "unsatisfiable" : { first, last };
}
