import type { Logger } from "../../shared/domain/logger.ts";
import { finishAttachmentDeletion } from "../../shared/domain/maintenance/finish-attachment-deletion.ts";
import {
  type FinishMachineDeletionDeps,
  finishMachineDeletion,
} from "../../shared/domain/maintenance/finish-machine-deletion.ts";
import {
  type FinishPoolDeletionDeps,
  finishPoolDeletion,
} from "../../shared/domain/maintenance/finish-pool-deletion.ts";
import {
  type FinishRunDeletionDeps,
  finishRunDeletion,
} from "../../shared/domain/maintenance/finish-run-deletion.ts";
import {
  type FinishTagDeletionDeps,
  finishTagDeletion,
  finishTagGroupDeletion,
} from "../../shared/domain/maintenance/finish-tag-deletion.ts";
import {
  type FinishTrajectoryDeletionDeps,
  finishTrajectoryDeletion,
} from "../../shared/domain/maintenance/finish-trajectory-deletion.ts";
import {
  type FinishWorkflowDeletionDeps,
  finishWorkflowDeletion,
} from "../../shared/domain/maintenance/finish-workflow-deletion.ts";
import type { TableChange } from "../../shared/domain/maintenance/table-change.ts";

/** A record of the table's stream; what is in it, `readChange` knows. */
export interface StreamRecord {
  readonly dynamodb?: { readonly SequenceNumber?: string | undefined } | undefined;
}

export type ProjectorDeps<R extends StreamRecord> = FinishMachineDeletionDeps &
  FinishPoolDeletionDeps &
  FinishWorkflowDeletionDeps &
  FinishTagDeletionDeps &
  FinishRunDeletionDeps &
  FinishTrajectoryDeletionDeps & {
    readonly readChange: (record: R) => TableChange | undefined;
    /** Takes a connection whose row has expired off its organization's count; once, however often it is told. */
    readonly settleExpired: (organizationId: string, connectionId: string) => Promise<void>;
    readonly logger: Logger;
  };

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

async function project<R extends StreamRecord>(deps: ProjectorDeps<R>, change: TableChange): Promise<void> {
  const { organizationId } = change;
  switch (change.kind) {
    case "connection_expired":
      return await deps.settleExpired(organizationId, change.connectionId);
    case "machine_deleted": {
      const { machineId } = change;
      if (!(await finishMachineDeletion(deps, organizationId, machineId))) return;
      deps.logger.info("machine deletion finished", {
        organization_id: organizationId,
        machine_id: machineId,
      });
      return;
    }
    case "pool_deleted": {
      const { poolId } = change;
      if (!(await finishPoolDeletion(deps, organizationId, poolId))) return;
      deps.logger.info("pool deletion finished", { organization_id: organizationId, pool_id: poolId });
      return;
    }
    case "workflow_deleted": {
      const { workflowId } = change;
      if (!(await finishWorkflowDeletion(deps, organizationId, workflowId))) return;
      deps.logger.info("workflow deletion finished", {
        organization_id: organizationId,
        workflow_id: workflowId,
      });
      return;
    }
    case "run_deleted": {
      const { runId } = change;
      if (!(await finishRunDeletion(deps, organizationId, runId))) return;
      deps.logger.info("run deletion finished", { organization_id: organizationId, run_id: runId });
      return;
    }
    case "trajectory_deleted": {
      const { trajectoryId } = change;
      if (!(await finishTrajectoryDeletion(deps, organizationId, trajectoryId))) return;
      deps.logger.info("trajectory deletion finished", {
        organization_id: organizationId,
        trajectory_id: trajectoryId,
      });
      return;
    }
    case "object_replaced":
      return await deps.files.remove(change.objectKey);
    case "attachment_deleted":
      await finishAttachmentDeletion(deps, organizationId, change.attachmentId);
      return;
    case "tag_deleted": {
      const { tagId } = change;
      if (!(await finishTagDeletion(deps, organizationId, tagId))) return;
      deps.logger.info("workflow tag deletion finished", { organization_id: organizationId, tag_id: tagId });
      return;
    }
    case "tag_group_deleted": {
      const { groupId } = change;
      if (!(await finishTagGroupDeletion(deps, organizationId, groupId))) return;
      deps.logger.info("workflow tag group deletion finished", {
        organization_id: organizationId,
        group_id: groupId,
      });
      return;
    }
  }
}
