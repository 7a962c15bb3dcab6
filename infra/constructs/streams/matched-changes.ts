import { FilterRule } from "aws-cdk-lib/aws-lambda";
import { sessionStatuses } from "../../../shared/vocabulary/runs.ts";
import { absent, between, off, ofKind, on, type Pattern, present, step } from "./stream-patterns.ts";

/**
 * Lambda allows at most five patterns of 4,096 characters each.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export const matchedChanges: readonly Pattern[] = [
  { eventName: ["INSERT", "MODIFY"], dynamodb: { NewImage: ofKind("queue", "left") } },
  {
    eventName: ["MODIFY"],
    $or: [
      ...between("connection_id", absent, present),
      ...between("is_available", off, on),
      ...between("out_of_service", off, on),
      ...between("reserved_session_id", absent, present),
      step("current_run_id", present, absent),
      step("held", present, absent),
      step("clearing_since", present, absent),
      step("deleted_at", absent, present),
      {
        dynamodb: {
          OldImage: { ...ofKind("executions"), has_refused: on },
          NewImage: { has_refused: { BOOL: FilterRule.notExists() } },
        },
      },
      { dynamodb: { NewImage: { ...ofKind("service_executions"), is_kept: on, freed_by: present } } },
    ],
  },
  {
    eventName: ["INSERT", "REMOVE"],
    $or: [
      { dynamodb: { NewImage: ofKind("pool_member") } },
      { dynamodb: { OldImage: ofKind("pool_member") } },
    ],
  },
  {
    eventName: ["MODIFY"],
    dynamodb: {
      OldImage: {
        ...ofKind("session"),
        status: { S: sessionStatuses.filter((status) => status !== "ended") },
      },
      NewImage: { status: { S: ["ended"] } },
    },
  },
  { eventName: ["INSERT"], dynamodb: { NewImage: ofKind("stopped_chain") } },
];
