import type { Logger } from "../../shared/domain/logger.ts";
import {
  type FinishMachineDeletionDeps,
  finishMachineDeletion,
} from "../../shared/domain/maintenance/finish-machine-deletion.ts";

/** What a change of the table means, as far as this function cares. */
export interface MachineDeleted {
  readonly kind: "machine_deleted";
  readonly organizationId: string;
  readonly machineId: string;
}

export type TableChange = MachineDeleted;

/** A record of the table's stream; what is in it, `readChange` knows. */
export interface StreamRecord {
  readonly dynamodb?: { readonly SequenceNumber?: string | undefined } | undefined;
}

export interface ProjectorDeps<R extends StreamRecord> extends FinishMachineDeletionDeps {
  readonly readChange: (record: R) => TableChange | undefined;
  readonly logger: Logger;
}

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * Finishes what a write has only marked. Each record is tried, whatever became of those before it; the stream
 * comes again from the first that failed, and doing the others twice does no harm.
 */
export function createProjector<R extends StreamRecord>(
  deps: ProjectorDeps<R>,
): (event: { readonly Records: readonly R[] }) => Promise<BatchResponse> {
  return async (event) => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const record of event.Records) {
      try {
        const change = deps.readChange(record);
        if (change) await project(deps, change);
      } catch (cause) {
        const itemIdentifier = record.dynamodb?.SequenceNumber ?? "";
        deps.logger.error("a record of the table's stream failed", {
          sequence_number: itemIdentifier,
          cause,
        });
        batchItemFailures.push({ itemIdentifier });
      }
    }
    return { batchItemFailures };
  };
}

async function project(
  deps: FinishMachineDeletionDeps & { readonly logger: Logger },
  change: TableChange,
): Promise<void> {
  const { organizationId, machineId } = change;
  if (!(await finishMachineDeletion(deps, organizationId, machineId))) return;
  deps.logger.info("machine deletion finished", { organization_id: organizationId, machine_id: machineId });
}
