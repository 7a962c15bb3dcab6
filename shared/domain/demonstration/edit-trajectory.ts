import { pictureBytesMax } from "../../vocabulary/drivers.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { isPointing, pointOf } from "../action/action.ts";
import type { Clock } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import type { Json, JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Picture } from "../picture/picture.ts";
import { recordElement } from "../recording/record-element.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { TrajectoryDeps } from "../trajectory/trajectory-deps.ts";
import type { RecordedScreen, TrajectoryElement } from "../trajectory/trajectory-element.ts";
import type { Warned } from "../trajectory/trajectory-store.ts";
import { type UpdateTrajectoryInput, updateTrajectory } from "../trajectory/update-trajectory.ts";
import type { RecordingStore } from "./recording-store.ts";

export interface EditTrajectoryDeps extends TrajectoryDeps {
  readonly recordings: Pick<RecordingStore, "findStep">;
  readonly files: TrajectoryDeps["files"] & Pick<FileStore, "get">;
  readonly clock: Clock;
}

/** The response must be in time. */
const cuttingMs = 15_000;

/**
 * The pieces of an element that points, has no anchor and names a recorded screen are cut from the kept picture of that.
 *
 * @throws {InvalidInput} where that picture is gone, or nothing around the point is unique on it.
 * @throws {DomainError} those of `updateTrajectory`. @throws {AlreadyOnRecord}
 */
export async function editTrajectory(
  deps: EditTrajectoryDeps,
  caller: Caller,
  input: UpdateTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Trajectory & Warned> {
  requireScope(caller, "write");
  if (input.data === undefined) return await updateTrajectory(deps, caller, input, idempotency);
  const data = await cutAnew(deps, caller.organizationId, input.data);
  return await updateTrajectory(deps, caller, { ...input, data }, idempotency);
}

type Named = TrajectoryElement & { readonly screen: RecordedScreen };

/** An element that is to be cut anew. */
function needsCutting(element: TrajectoryElement): element is Named {
  const { action, anchor, by, screen } = element;
  if (screen === undefined || anchor !== undefined || by === "model") return false;
  return isPointing(action) && pointOf(action) !== undefined;
}

async function cutAnew(
  deps: EditTrajectoryDeps,
  organizationId: OrganizationId,
  data: readonly Json[],
): Promise<readonly Json[]> {
  const untilMs = deps.clock.now() + cuttingMs;
  const pictures = new Map<string, Picture | undefined>();
  const whole: Json[] = [];
  for (const [place, value] of data.entries()) {
    const read = deps.trajectoryReader.readElement(value);
    if (read.kind !== "element" || !needsCutting(read.element)) {
      whole.push(value);
      continue;
    }
    const { screen } = read.element;
    const name = `${screen.recordingId} ${screen.index}`;
    if (deps.clock.now() > untilMs) throw refused(place, "screen", "too many elements are cut anew at once");
    if (!pictures.has(name)) pictures.set(name, await pictureOn(deps, organizationId, screen));
    const before = pictures.get(name);
    if (before === undefined) {
      throw refused(place, "screen", "there is no such picture any more that an anchor could be cut from");
    }
    whole.push(cut(deps, place, read.element, value, before));
  }
  return whole;
}

function cut(
  { pictures }: EditTrajectoryDeps,
  place: number,
  { action }: Named,
  value: Json,
  before: Picture,
): Json {
  const { by, anchor, guard } = recordElement(pictures, { action, before, changed: undefined });
  if (by === "model" || anchor === undefined) {
    const error = "nothing around this point is unique on its screen: choose another one, or `by: model`";
    throw refused(place, "action", error);
  }
  const {
    guard: _guard,
    changed: _changed,
    ...rest
  } = value as JsonObject & { guard?: Json; changed?: Json };
  const pieces = { anchor, ...(guard && { guard }) };
  return { ...rest, ...pieces } as unknown as Json;
}

function refused(place: number, field: string, error: string): InvalidInput {
  return new InvalidInput([valueError(["body", "trajectory_data", place, field], error)]);
}

async function pictureOn(
  { recordings, files, pictures }: EditTrajectoryDeps,
  organizationId: OrganizationId,
  { recordingId, index }: RecordedScreen,
): Promise<Picture | undefined> {
  const step = await recordings.findStep(organizationId, recordingId, index);
  const png = step?.pictureKey && (await files.get(step.pictureKey, pictureBytesMax));
  return png ? pictures.decode(png) : undefined;
}
