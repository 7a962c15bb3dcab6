import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { type Edit, requireEdition } from "../entity/edition.ts";
import { notFound, required } from "../entity/not-found.ts";
import { ChangedTooOften, DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Json } from "../json.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { foreseenWarnings, judgeApproval } from "./approval/judge-approval.ts";
import { type HeavyValues, keepData } from "./keep-data.ts";
import { readContent } from "./read-data.ts";
import type { Trajectory } from "./trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";
import type { TrajectoryScreens } from "./trajectory-element.ts";
import type { TrajectoryChange, Warned } from "./trajectory-store.ts";

type Described = Pick<
  TrajectoryChange,
  "name" | "description" | "dimensions" | "isApproved" | "isMain" | "originalInputValues"
>;

export interface UpdateTrajectoryInput extends Described, Partial<TrajectoryScreens>, Edit {
  readonly trajectoryId: string;
  readonly data?: readonly Json[];
}

/**
 * The stream's reader (`readTableChange`) removes replaced objects. A changed trajectory is no longer verified.
 * @throws {InvalidInput} for one that is or becomes approved, and that the service could not replay.
 * @throws {DomainError} `insufficient_scope`, `not_found`, `changed_meanwhile`, `conflict` for a main one that is not approved, or
 * `service_unavailable` when it keeps changing.
 * @throws {AlreadyOnRecord}
 */
export async function updateTrajectory(
  deps: TrajectoryDeps,
  caller: Caller,
  input: UpdateTrajectoryInput,
  idempotency?: Idempotency,
): Promise<Trajectory & Warned> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const { ifEdition, ...given } = input;
  const edit = { ifEdition };
  const { trajectoryId, data, expect, checks, reset, endsElsewhere: _, resetLacks: __, ...fields } = given;
  const change = { ...fields, updatedAt: isoTimestamp(deps.clock.now()) };
  const decisive = [data, expect, checks, reset, fields.dimensions, fields.isApproved, fields.isMain];
  if (decisive.every((value) => value === undefined)) {
    const updated = await deps.trajectories.update(organizationId, trajectoryId, change, idempotency, edit);
    return required(updated, "trajectory", trajectoryId);
  }
  const find = async () => {
    const found = await deps.trajectories.find(organizationId, trajectoryId);
    if (found === undefined) throw notFound("trajectory", trajectoryId);
    requireEdition(found, edit);
    return found;
  };
  const first = await find();
  const screens = await screensAfter(deps, first, input);
  const place = { organizationId, trajectoryId };
  return await keepData(deps, place, { data, screens }, idempotency, async ({ kept, ...under }) => {
    const what = "the trajectory";
    return await untilWritten(deps, {
      what,
      first,
      read: find,
      decide: async (before) => {
        // The other half has been replaced meanwhile.
        const isReplaced = JSON.stringify(before.screens) !== JSON.stringify(first.screens);
        if (screens && isReplaced) throw new ChangedTooOften(what);
        const decided = await decide(deps, before, input, { data, screens });
        const whole = { ...change, ...kept, ...decided };
        const outcome = await deps.trajectories.updateAsRead(before, whole, under.idempotency, edit);
        if (outcome.kind === "workflow_not_found") throw notFound("workflow", before.workflowId);
        return outcome.kind === "updated" ? outcome.trajectory : overtaken;
      },
    });
  });
}

/** Returns undefined if unchanged. Changed elements may end on an unknown screen. */
async function screensAfter(
  deps: TrajectoryDeps,
  trajectory: Trajectory,
  { data, expect, checks, reset }: UpdateTrajectoryInput,
): Promise<TrajectoryScreens | undefined> {
  const isGiven = [expect, checks, reset].some((value) => value !== undefined);
  if (!isGiven && data === undefined) return undefined;
  const content = await readContent(deps, trajectory, { withData: false, withScreens: true });
  if (content === null || content.screens === null) throw notFound("trajectory", trajectory.id);
  const { endsElsewhere, resetLacks, ...stored } = content.screens;
  const isNoted = endsElsewhere !== undefined || resetLacks !== undefined;
  if (!isGiven && !isNoted) return undefined;
  return {
    ...stored,
    ...(expect && { expect }),
    ...(checks && { checks }),
    ...(reset && { reset }),
    ...(data === undefined && endsElsewhere !== undefined && { endsElsewhere }),
    ...(data === undefined && reset === undefined && resetLacks !== undefined && { resetLacks }),
  };
}

async function decide(
  deps: TrajectoryDeps,
  before: Trajectory,
  { dimensions, originalInputValues, ...given }: UpdateTrajectoryInput,
  { data, screens }: HeavyValues,
): Promise<Pick<TrajectoryChange, "hasBeenApproved" | "verifiedAt" | "isMain"> & Warned> {
  const isApproved = given.isApproved ?? before.isApproved;
  if (given.isMain === true && !isApproved) {
    throw new DomainError(
      "conflict",
      "only an approved trajectory can be the main one of its workflow: approve it with is_approved",
    );
  }
  const isChanged = [data, screens, dimensions].some((value) => value !== undefined);
  const verifiedAt = isChanged ? null : before.verifiedAt;
  const isJudged = isApproved && (isChanged || given.isApproved === true);
  const isForeseen = !isApproved && before.isGenerated && data !== undefined;
  return {
    ...(isChanged && { verifiedAt }),
    ...(isApproved && { hasBeenApproved: true }),
    ...((isJudged || isForeseen) && {
      warnings: await judge(
        deps,
        { ...before, verifiedAt, ...(originalInputValues !== undefined && { originalInputValues }) },
        { data, screens },
        isJudged ? judgeApproval : foreseenWarnings,
      ),
    }),
    ...(await mainAfter(deps, { ...before, verifiedAt }, { isApproved, isMain: given.isMain })),
  };
}

async function judge(
  deps: TrajectoryDeps,
  trajectory: Trajectory,
  { data, screens }: HeavyValues,
  warns: typeof judgeApproval,
): Promise<readonly string[]> {
  const stored = await readContent(deps, trajectory, {
    withData: data === undefined,
    withScreens: screens === undefined,
  });
  const [elements, beside] = [data ?? stored?.data, screens ?? stored?.screens];
  if (!elements || !beside) throw notFound("trajectory", trajectory.id);
  return await warns(deps, { ...trajectory, ...beside, data: elements });
}

/** The first approved and verified trajectory becomes main where the workflow has none. */
async function mainAfter(
  { trajectories }: Pick<TrajectoryDeps, "trajectories">,
  before: Trajectory,
  { isApproved, isMain }: { readonly isApproved: boolean; readonly isMain: boolean | undefined },
): Promise<Pick<TrajectoryChange, "isMain">> {
  if (!isApproved) return before.isMain ? { isMain: false } : {};
  if (isMain !== undefined) return { isMain };
  if (before.isApproved || before.verifiedAt === null) return {};
  const main = await trajectories.findMain(before.organizationId, before.workflowId);
  return main === undefined ? { isMain: true } : {};
}
