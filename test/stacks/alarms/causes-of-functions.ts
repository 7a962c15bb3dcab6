import type { Cause, Sources } from "./cause.ts";
import { streams } from "./healthy.ts";

const withShare: Readonly<Record<string, string>> = {
  computer: "computer",
  executor: "executor",
  following: "following",
  health: "health",
  machinehealth: "machine-health",
  matcher: "matcher",
  tunnel: "tunnel",
};

/** These are causes of functions, streams, timers and backups, most of which only AWS' metrics show. */
export async function causesOfFunctions(sources: Sources): Promise<readonly Cause[]> {
  const { lambda, lambdaOfAccount, mapping, queue, backups, swept, fired } = sources;
  const waiting = (id: RegExp) => queue(id)("ApproximateNumberOfMessagesVisible", 1);
  return [
    ...sources.functions.map((name) => ({
      happens: `Lambda refuses ${name} concurrency (AWS/Lambda Throttles)`,
      heading: "Function throttles",
      subjects: [withShare[name] ?? "others"],
      samples: lambda(name)("Throttles", 3),
    })),
    {
      happens: "Lambda refuses a function concurrency for a minute (AWS/Lambda Throttles)",
      heading: null,
      samples: lambda("executor")("Throttles", 3),
      lastsMinutes: 1,
    },
    {
      happens: "the account's common concurrency is nearly used (AWS/Lambda ClaimedAccountConcurrency)",
      heading: "Concurrency claimed",
      samples: lambdaOfAccount("ClaimedAccountConcurrency", 2_990),
    },
    ...["tunnel", "sweeper", "scheduler", "executions-watch"].map((name) => ({
      happens: `${name} fails (AWS/Lambda Errors)`,
      heading: "Function errors",
      subjects: [name],
      samples: lambda(name)("Errors", 1),
    })),
    ...Object.entries(streams).flatMap(([name, id]): Cause[] => [
      {
        happens: `the mapping of ${name} is off (AWS/Lambda InvokedEventCount, FilteredOutEventCount)`,
        heading: "Stream silent",
        subjects: [name],
        silences: [...mapping(id)("InvokedEventCount", 0), ...mapping(id)("FilteredOutEventCount", 0)],
      },
      {
        happens: `Lambda drops records of ${name} (AWS/Lambda DroppedEventCount)`,
        heading: "Records dropped",
        subjects: [name],
        samples: mapping(id)("DroppedEventCount", 5),
      },
      {
        happens: `${name} sets a record aside (AWS/SQS ApproximateNumberOfMessagesVisible)`,
        heading: name === "projector" ? "Stream failures" : "Matching failures",
        samples: waiting(id),
      },
      {
        happens: `${name} is six minutes behind (AWS/Lambda IteratorAge)`,
        heading: name === "projector" ? "Stream behind" : "Matching behind",
        samples: lambda(name)("IteratorAge", 360_000),
      },
    ]),
    {
      happens: "Lambda gives up what a delivery was called with (AWS/SQS ApproximateNumberOfMessagesVisible)",
      heading: "Webhook dead letters",
      samples: waiting(/^webhookdeliverer/),
    },
    {
      happens:
        "Lambda gives up what an execution was called with (AWS/SQS ApproximateNumberOfMessagesVisible)",
      heading: "Execution dead letters",
      samples: waiting(/^executor/),
    },
    {
      happens: "the sweeper's timer is off (AWS/Lambda Invocations)",
      heading: "Sweeper not running",
      silences: lambda("sweeper")("Invocations", 1),
    },
    {
      happens: "the projector leaves deletions to the sweeper",
      heading: "Deletions left over",
      samples: await swept({ deletions_left_over: 1 }),
    },
    {
      happens: "the matcher leaves runs to the sweeper",
      heading: "Matching left over",
      samples: await swept({ matching_left_over: 2 }),
    },
    {
      happens: "the sweeper serves a run in the minute in which its machine becomes free",
      heading: null,
      samples: await swept({ matching_left_over: 1 }),
      every: 4,
    },
    {
      happens: "rows that name secrets are gone",
      heading: "Sweeper holds back",
      samples: await swept({ unnamed_held_back: 40 }),
    },
    {
      happens: "schedules are late",
      heading: "Schedules late",
      samples: await fired({ schedules_late_ms: 300_000 }),
    },
    {
      happens: "the scheduler's timer is off",
      heading: "Schedules late",
      silences: await fired({ schedules_late_ms: 0 }),
    },
    {
      happens: "the synthetic run fails (AWS/Lambda Errors)",
      heading: "Synthetic run failing",
      samples: lambda("synthetic")("Errors", 1),
      every: 5,
    },
    {
      happens: "the synthetic run's timer is off (AWS/Lambda Errors)",
      heading: "Synthetic run failing",
      silences: lambda("synthetic")("Errors", 0),
    },
    ...["BackupJobsFailed", "BackupJobsAborted", "BackupJobsExpired", "CopyJobsFailed"].map((ending) => ({
      happens: `AWS Backup counts one of ${ending} (AWS/Backup NumberOf${ending})`,
      heading: "Backups failed",
      subjects: [ending.startsWith("Copy") ? "Copy" : "Backup"],
      samples: backups()(`NumberOf${ending}`, 1),
      lastsMinutes: 1,
    })),
  ];
}
