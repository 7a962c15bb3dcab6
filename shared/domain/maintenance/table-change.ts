/** What a write of the table has left to be done. */
export type TableChange =
  /** A machine was marked deleted. */
  | { readonly kind: "machine_deleted"; readonly organizationId: string; readonly machineId: string }
  /** A pool was marked deleted. */
  | { readonly kind: "pool_deleted"; readonly organizationId: string; readonly poolId: string }
  /** A workflow was marked deleted. */
  | { readonly kind: "workflow_deleted"; readonly organizationId: string; readonly workflowId: string }
  /** A workflow tag was marked deleted. */
  | { readonly kind: "tag_deleted"; readonly organizationId: string; readonly tagId: string }
  /** A group of workflow tags was marked deleted. */
  | { readonly kind: "tag_group_deleted"; readonly organizationId: string; readonly groupId: string }
  /** A run was marked deleted. */
  | { readonly kind: "run_deleted"; readonly organizationId: string; readonly runId: string }
  /** A run has ended, and still has a secret. */
  | {
      readonly kind: "run_ended";
      readonly organizationId: string;
      readonly runId: string;
      readonly secretName: string;
    }
  /** A run's attachment was marked deleted. */
  | { readonly kind: "attachment_deleted"; readonly organizationId: string; readonly attachmentId: string }
  /** A trajectory was marked deleted. */
  | { readonly kind: "trajectory_deleted"; readonly organizationId: string; readonly trajectoryId: string }
  /** An item no longer names an object of the bucket: other data has taken its place. */
  | { readonly kind: "object_replaced"; readonly organizationId: string; readonly objectKey: string }
  /** A closed connection is no longer kept, and has to come off its organization's count. */
  | { readonly kind: "connection_expired"; readonly organizationId: string; readonly connectionId: string };
