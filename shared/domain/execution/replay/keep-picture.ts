import { changedParts, isMoreThanCaret } from "../../picture/changes.ts";
import { paintOver } from "../../picture/paint-over.ts";
import { clip, crop, type Picture, type Rectangle } from "../../picture/picture.ts";
import type { RunStep } from "../execution.ts";
import type { World } from "../world.ts";

type Kept = Pick<RunStep, "screenshot" | "pictureKey">;

/**
 * Stores the screen as it is now, without what shows secrets. Where the workflow keeps no pictures there is one, for the
 * step that follows, and the next one replaces it.
 */
export async function keepPicture(world: World, { index }: { readonly index: number }): Promise<Kept> {
  const { deps, job, plan, screen, trail } = world;
  if (screen === undefined) return { screenshot: null, pictureKey: null };
  const { width, height } = screen.picture;
  const png =
    trail.painted.length === 0 ? screen.png : deps.pictures.encode(paintOver(screen.picture, trail.painted));
  const isKept = plan.workflow.keepScreenshots;
  const name = isKept ? `${job.assignmentId}-${index}` : passingPicture(job);
  const key = deps.files.stepKey(job.organizationId, job.runId, name);
  await deps.files.put(key, png, "image/png");
  world.pictureKey = key;
  return { screenshot: isKept ? { width, height } : null, pictureKey: key };
}

/** Of the one picture that a workflow without pictures has. */
export function passingPicture({ assignmentId }: { readonly assignmentId: string }): string {
  return `${assignmentId}-passing`;
}

/** Those that still show what they showed: what has changed shows something else. */
export function stillPainted(
  painted: readonly Rectangle[],
  before: Picture | undefined,
  after: Picture | undefined,
): readonly Rectangle[] {
  if (before === undefined || after === undefined) return painted;
  if (before.width !== after.width || before.height !== after.height) return [];
  return painted.filter((part) => !hasChanged(part, before, after));
}

/** A cursor that blinks is no change. */
function hasChanged(part: Rectangle, before: Picture, after: Picture): boolean {
  const here = clip(before, part);
  if (here === undefined) return true;
  return changedParts(crop(before, here), crop(after, here)).some(isMoreThanCaret);
}
