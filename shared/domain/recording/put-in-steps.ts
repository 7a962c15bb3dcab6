import { findAnchor } from "../picture/find-anchor.ts";
import { matchThumbnail } from "../picture/match-thumbnail.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { RunStep } from "../run-step/run-step.ts";
import { mayBeLeftOut } from "../trajectory/approval/reset-problem.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import type { PlacedScreen } from "./placed-screen.ts";

interface PutIn {
  readonly at: number;
  readonly before: PlacedScreen | undefined;
}

/**
 * Makes elements `optional` that a repair put in before the step itself. A replay skips one wherever the step's own
 * screen is seen, so that its change has to show there.
 */
export class PutInSteps {
  readonly #putInBefore: ReadonlyMap<RunStep, readonly RunStep[]>;
  readonly #putIn = new Map<RunStep, PutIn | undefined>();

  constructor(putInBefore: ReadonlyMap<RunStep, readonly RunStep[]>) {
    this.#putInBefore = putInBefore;
    for (const step of [...putInBefore.values()].flat()) this.#putIn.set(step, undefined);
  }

  /** @param elements end with the step's own. */
  recorded(
    pictures: PictureCodec,
    elements: TrajectoryElement[],
    { step, before }: { readonly step: RunStep; readonly before: PlacedScreen | undefined },
  ): void {
    if (this.#putIn.has(step)) this.#putIn.set(step, { at: elements.length - 1, before });
    const element = elements.at(-1);
    const putIn = (this.#putInBefore.get(step) ?? []).flatMap((each) => this.#putIn.get(each) ?? []);
    if (element === undefined || putIn.some((each) => isSeen(pictures, element, each.before))) return;
    for (const { at } of putIn) {
      const known = elements[at];
      if (known !== undefined && mayBeLeftOut(known)) elements[at] = { ...known, optional: true };
    }
  }
}

/** A replay never waits for an element that a model decides. */
function isSeen(
  pictures: PictureCodec,
  { by, anchor, guard }: TrajectoryElement,
  screen: PlacedScreen | undefined,
): boolean {
  if (by === "model") return false;
  const piece = anchor ?? guard;
  if (piece === undefined || screen === undefined) return true;
  const pictureOf = (png: string) => pictures.decode(Buffer.from(png, "base64"));
  const { x, y, png, thumbnail } = piece;
  return (
    (thumbnail === undefined || matchThumbnail(screen.small, pictureOf(thumbnail)).isSame) &&
    findAnchor(screen.picture, { x, y, piece: pictureOf(png) }).kind === "found"
  );
}
