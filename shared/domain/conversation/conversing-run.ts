import type { Encryption } from "../encryption.ts";
import type { FileStore } from "../file-store.ts";
import type { Fillings } from "../filling/fill-action.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Picture } from "../picture/picture.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { StepReader } from "../run-step/step-reader.ts";
import type { TrajectoryReader } from "../trajectory/trajectory-reader.ts";

/** The run that a model works on, such as the executor's invocation. */
export interface ConversingRun extends Fillings {
  readonly deps: Fillings["deps"] & {
    readonly executions: Pick<StepReader, "findStep">;
    readonly trajectoryReader: Pick<TrajectoryReader, "readElement">;
    readonly files: FileStore;
    readonly encryption: Encryption;
    readonly pictures: PictureCodec;
  };
  readonly job: {
    readonly organizationId: OrganizationId;
    readonly runId: string;
    readonly assignmentId: string;
  };
  readonly pictureKey: string | null;
  filled(text: string): string;
  getPicture(key: string): Promise<{ readonly png: Uint8Array; readonly picture: Picture }>;
}
