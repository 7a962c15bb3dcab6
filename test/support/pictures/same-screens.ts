import { changedParts, isMoreThanCaret } from "../../../shared/domain/picture/changes.ts";
import { isSameSize, type Picture, type Rectangle } from "../../../shared/domain/picture/picture.ts";

/** A blinking cursor is no difference. */
export function sameScreens(a: Picture, b: Picture, masks: readonly Rectangle[] = []): boolean {
  if (!isSameSize(a, b)) return false;
  const [change, ...more] = changedParts(a, b, masks);
  return change === undefined || (more.length === 0 && !isMoreThanCaret(change));
}
