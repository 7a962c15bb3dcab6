import { deriveId } from "../../../shared/domain/derive-id.ts";
import type { Json } from "../../../shared/domain/json.ts";
import type { Spilled } from "../../../shared/domain/spill.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";
import { elementsOf } from "./demo-recording.ts";
import type { executionWorld } from "./execution-world.ts";
import type { Recording } from "./record-demo.ts";

type World = Omit<Awaited<ReturnType<typeof executionWorld>>, "driver">;

export async function recordedByModel({ stores, organizationId, job }: World) {
  return await stores.trajectories.find(organizationId, deriveId(job.assignmentId, 1));
}

export async function recordingByModel(world: World): Promise<Recording> {
  const found = await recordedByModel(world);
  if (found === undefined) throw new Error("nothing was recorded");
  const { dimensions } = found;
  const elements = elementsOf(await contentOf(world, found.data));
  const screens = await contentOf(world, found.screens);
  const { expect, reset } = zodTrajectoryReader.readScreens({ dimensions, screens });
  return { elements, expect, dimensions, reset: elementsOf(reset) } as Recording;
}

export async function contentOf({ files }: World, kept: Spilled | null): Promise<Json> {
  if (kept === null) return null;
  if (kept.kind === "inline") return kept.value;
  return JSON.parse(new TextDecoder().decode(await files.get(kept.key, kept.bytes))) as Json;
}
