import { FilterRule } from "aws-cdk-lib/aws-lambda";
import { runStatuses } from "../../../shared/vocabulary/runs.ts";
import { absent, between, off, ofKind, on, type Pattern, present } from "./stream-patterns.ts";

const leased = { N: FilterRule.exists() };

/**
 * Pings of drivers must not invoke the projector. Lambda allows at most five patterns of 4,096 characters each.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export const projectedChanges: readonly Pattern[] = [
  {
    $or: [
      // Only deleted items have this attribute.
      { dynamodb: { NewImage: { deleted_at: present } } },
      // Later changes by the service itself remove the act.
      { dynamodb: { NewImage: { act: { M: { id: present } } } } },
    ],
  },
  {
    eventName: ["REMOVE"],
    $or: [
      { dynamodb: { OldImage: ofKind("connection") } },
      { dynamodb: { OldImage: { act: { M: { id: present } } } } },
      // A call's record expired because its caller died.
      { dynamodb: { OldImage: { ...ofKind("call_slot"), lease_until_ms: leased } } },
    ],
  },
  // The change may have replaced the item's object.
  {
    eventName: ["MODIFY"],
    dynamodb: {
      OldImage: {
        ...ofKind("trajectory"),
        $or: [{ trajectory_data: { M: { key: present } } }, { screens: { M: { key: present } } }],
      },
    },
  },
  // New runs and machines are published, executions are started.
  { eventName: ["INSERT"], dynamodb: { NewImage: ofKind("run", "machine", "execution") } },
  // Every transition of their states is published, too.
  {
    $or: [
      ...runStatuses.map((status) => ({
        dynamodb: {
          OldImage: { ...ofKind("run"), status: { S: [status] } },
          NewImage: { status: { S: FilterRule.notEquals(status) } },
        },
      })),
      // A run's hold is published; viewers see who has mouse and keyboard.
      ...between("held", absent, present, "run", "machine"),
      {
        dynamodb: {
          OldImage: { ...ofKind("connection"), superseded_address: absent },
          NewImage: { superseded_address: present },
        },
      },
      { dynamodb: { NewImage: { ...ofKind("schedule"), missed: present } } },
      {
        dynamodb: {
          OldImage: { ...ofKind("schedule"), disabled_reason: absent },
          NewImage: { disabled_reason: present },
        },
      },
      // A call is over once its record has an outcome, or, for the release before, another call takes its dead caller's slot.
      { dynamodb: { NewImage: { ...ofKind("call_slot"), outcome: present } } },
      {
        dynamodb: {
          OldImage: { ...ofKind("call_slot"), lease_until_ms: leased },
          NewImage: { lease_until_ms: leased },
        },
      },
      ...between("connection_id", absent, present),
      ...between("is_available", off, on),
      ...between("out_of_service", off, on),
    ],
  },
];
