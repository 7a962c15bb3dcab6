import { deriveId } from "../../../shared/domain/derive-id.ts";
import type { Json } from "../../../shared/domain/json.ts";
import type { TrajectoryElement } from "../../../shared/domain/trajectory/trajectory-element.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";
import type { executionWorld } from "./execution-world.ts";
import type { Recording } from "./record-demo.ts";

type World = Awaited<ReturnType<typeof executionWorld>>;

/** The trajectory of what the run's model did. */
export async function recordedByModel({ stores, organizationId, job }: Omit<World, "driver">) {
  return await stores.trajectories.find(organizationId, deriveId(job.assignmentId, 1));
}

/** As a run replays it once it is the main one. */
export async function recordingByModel(world: Omit<World, "driver">): Promise<Recording> {
  const { data = null, dimensions } = (await recordedByModel(world)) ?? {};
  if (data === null) throw new Error("nothing was recorded");
  const file = data.kind === "inline" ? undefined : await world.files.get(data.key, data.bytes);
  const content = data.kind === "inline" ? data.value : (JSON.parse(new TextDecoder().decode(file)) as Json);
  const elements = (content as readonly Json[]).map((value): TrajectoryElement => {
    const read = zodTrajectoryReader.readElement(value);
    if (read.kind === "unreadable") throw new Error(read.reason);
    return read.element;
  });
  return { elements, expect: [], dimensions } as Recording;
}
