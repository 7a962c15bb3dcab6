import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { paintOver } from "../../picture/paint-over.ts";
import { clip, crop, holds, isSameSize, type Picture, type Rectangle, union } from "../../picture/picture.ts";
import type { PaintedPart, RunStep } from "../../run-step/run-step.ts";
import type { Invocation } from "./invocation.ts";

type Kept = Pick<RunStep, "screenshot" | "pictureKey">;

/**
 * Stores the screen as it is now, without what shows secrets. Where the workflow keeps no pictures there is one, for the
 * step that follows, and the next one replaces it.
 */
export async function keepPicture(
  invocation: Invocation,
  { index }: { readonly index: number },
): Promise<Kept> {
  const { deps, job, plan, screen, trail } = invocation;
  if (screen === undefined) return { screenshot: null, pictureKey: null };
  const { width, height } = screen.picture;
  const isPainted = trail.painted.length > 0;
  const picture = isPainted ? paintOver(screen.picture, trail.painted) : screen.picture;
  const png = isPainted ? deps.pictures.encode(picture) : screen.png;
  const isKept = plan.workflow.keepScreenshots;
  const name = isKept ? `${job.assignmentId}-${index}` : passingPicture(job);
  const key = deps.files.stepKey(job.organizationId, job.runId, name);
  await deps.files.put(key, png, "image/png");
  invocation.pictureKey = key;
  invocation.stored = { key, png, picture };
  return { screenshot: isKept ? { width, height } : null, pictureKey: key };
}

/** Of the one picture that a workflow without pictures has. */
function passingPicture({ assignmentId }: { readonly assignmentId: string }): string {
  return `${assignmentId}-passing`;
}

/** Those that still show what they showed: what has changed shows something else. */
export function stillPainted(
  painted: readonly PaintedPart[],
  before: Picture | undefined,
  after: Picture | undefined,
): readonly PaintedPart[] {
  if (before === undefined || after === undefined) return painted;
  if (!isSameSize(before, after)) return [];
  return painted.filter((part) => part.isJoined === true || !hasChanged(part, before, after));
}

/** A third of it: where a character of a secret is deleted, the others are still there. A cursor that blinks is no change. */
function hasChanged(part: Rectangle, before: Picture, after: Picture): boolean {
  const here = clip(before, part);
  if (here === undefined) return true;
  const changes = changedParts(crop(before, here), crop(after, here)).filter(isMoreThanCaret);
  return changes.reduce((sum, change) => sum + area(change), 0) * 3 >= area(here);
}

/** So that a step's row stays small. */
const paintedMax = 40;

/** None is left out: of too many those two become one, again and again, whose union adds the least. */
export function joinedPainted(painted: readonly PaintedPart[]): readonly PaintedPart[] {
  if (painted.length <= paintedMax) return painted;
  const pairs = painted.flatMap((a, at) => painted.slice(0, at).map((b) => [a, b] as const));
  const [a, b] = pairs.reduce((best, pair) => (addedBy(pair) < addedBy(best) ? pair : best));
  return joinedPainted([...painted.filter((part) => part !== a && part !== b), joined(a, b)]);
}

function addedBy([a, b]: readonly [PaintedPart, PaintedPart]): number {
  return area(union(a, b)) - area(a) - area(b);
}

function area({ width, height }: Rectangle): number {
  return width * height;
}

function joined(a: PaintedPart, b: PaintedPart): PaintedPart {
  if (holds(a, b) && !b.isJoined) return a;
  if (holds(b, a) && !a.isJoined) return b;
  return { ...union(a, b), isJoined: true };
}
