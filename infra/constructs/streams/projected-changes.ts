import { FilterRule } from "aws-cdk-lib/aws-lambda";
import { runStatuses } from "../../../shared/vocabulary/runs.ts";
import { absent, between, off, ofKind, on, type Pattern, present } from "./stream-patterns.ts";

/**
 * The changes that invoke the projector. A filter cannot compare an attribute before and after, so each transition is
 * named; what is left out is what costs: each ping of a driver changes a machine and a connection.
 *
 * At most five patterns of 4,096 characters each.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export const projectedChanges: readonly Pattern[] = [
  {
    $or: [
      // Marked as deleted: nothing else has that attribute.
      { dynamodb: { NewImage: { deleted_at: present } } },
      // Changed by a request: whatever the service changes after that removes the act.
      { dynamodb: { NewImage: { act: { M: { id: present } } } } },
    ],
  },
  {
    eventName: ["REMOVE"],
    $or: [
      { dynamodb: { OldImage: ofKind("connection") } },
      { dynamodb: { OldImage: { act: { M: { id: present } } } } },
      // A caller died whose slot nobody else has taken.
      { dynamodb: { OldImage: { ...ofKind("call_slot"), lease_until_ms: { N: FilterRule.exists() } } } },
    ],
  },
  // The object that a change may have replaced.
  {
    eventName: ["MODIFY"],
    dynamodb: {
      OldImage: {
        ...ofKind("trajectory"),
        $or: [{ trajectory_data: { M: { key: present } } }, { screens: { M: { key: present } } }],
      },
    },
  },
  // New runs and machines are published to customers; executions are to be started.
  { eventName: ["INSERT"], dynamodb: { NewImage: ofKind("run", "machine", "execution") } },
  // Published, too: every step of their states.
  {
    $or: [
      ...runStatuses.map((status) => ({
        dynamodb: {
          OldImage: { ...ofKind("run"), status: { S: [status] } },
          NewImage: { status: { S: FilterRule.notEquals(status) } },
        },
      })),
      {
        dynamodb: {
          OldImage: { ...ofKind("connection"), superseded_address: absent },
          NewImage: { superseded_address: present },
        },
      },
      // Calls to desktops, of which the organization's count is made.
      { dynamodb: { NewImage: ofKind("call_slot") } },
      ...between("connection_id", absent, present),
      ...between("is_available", off, on),
      ...between("out_of_service", off, on),
    ],
  },
];
