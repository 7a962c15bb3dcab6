import type { Clock } from "../clock.ts";
import type { Encryption } from "../encryption.ts";
import type { FileStore } from "../file-store.ts";
import type { Json } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Picture } from "../picture/picture.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { Plan } from "../plan/plan.ts";
import type { StepReader } from "../run-step/step-reader.ts";
import type { SecretValues } from "../secret-store.ts";
import type { OneTimeCodes } from "../secrets/one-time-codes.ts";
import type { TrajectoryReader } from "../trajectory/trajectory-reader.ts";

/** The run that a model is told about; the executor's invocation is one. */
export interface ConversingRun {
  readonly deps: {
    readonly executions: Pick<StepReader, "findStep">;
    readonly trajectoryReader: Pick<TrajectoryReader, "readElement">;
    readonly files: FileStore;
    readonly encryption: Encryption;
    readonly pictures: PictureCodec;
    readonly codes: OneTimeCodes;
    readonly clock: Clock;
  };
  readonly job: {
    readonly organizationId: OrganizationId;
    readonly runId: string;
    readonly assignmentId: string;
  };
  readonly plan: Plan;
  readonly saved: ReadonlyMap<string, Json>;
  readonly pictureKey: string | null;
  filled(text: string): string;
  secrets(): Promise<SecretValues>;
  getPicture(key: string): Promise<{ readonly png: Uint8Array; readonly picture: Picture }>;
}
