import { type Cause, forHours, type Sources } from "./cause.ts";
import { noUsage, providers } from "./healthy.ts";

const failed = (reason: "unavailable" | "key_invalid") =>
  ({ kind: "failed", reason, error: "no", retryAfterMs: null, usage: null }) as const;

/** These keep runs from going on. */
export async function causesOfRuns(sources: Sources): Promise<readonly Cause[]> {
  const { assigned, modelStep, swept, lambda, lambdaOfAccount } = sources;
  const late = await assigned({ waited_ms: 90_000, matched_ms: 30_000 });
  const full = await swept({ service_runs_under_way: 20, service_runs_max: 20 });
  const inLine = await swept({ service_organizations_in_line: 1 });
  const overloaded = await Promise.all(
    providers.map(async (provider) => ({
      happens: `${provider} is overloaded`,
      heading: "Providers failing",
      subjects: [provider],
      samples: await modelStep(provider, failed("unavailable")),
      times: 3,
    })),
  );
  return [
    {
      happens: "runs are assigned late",
      heading: "Runs wait",
      subjects: ["fast", "slow"],
      samples: late,
      times: 4,
    },
    {
      happens: "one run in thirteen is assigned late, for hours",
      heading: "Runs wait",
      subjects: ["slow"],
      samples: late,
      every: 3,
      ...forHours,
    },
    {
      happens: "runs wait for a busy fleet",
      heading: null,
      samples: await swept({ runs_waiting: 400, oldest_waiting_ms: 7_200_000 }),
    },
    ...overloaded,
    {
      happens: "a provider fails one run's calls now and then",
      heading: null,
      samples: await modelStep("openai", failed("unavailable")),
      every: 2,
    },
    {
      happens: "a provider refuses an organization's key",
      heading: null,
      samples: await modelStep("openai", failed("key_invalid")),
      times: 3,
    },
    {
      happens: "a model refuses what runs ask of it",
      heading: null,
      samples: await modelStep("openai", { kind: "refused", text: "no", usage: noUsage }),
      times: 3,
    },
    {
      happens: "an organization is in the line for places all the time, whatever the number of places",
      heading: "Service limit reached",
      samples: inLine,
      silences: inLine,
    },
    {
      happens: "an organization is in the line for places now and then",
      heading: null,
      samples: inLine,
    },
    {
      happens: "as many runs are under way as may be, and no other one waits",
      heading: null,
      samples: full,
      silences: full,
    },
    ...["Failed", "TimedOut"].map((ending) => ({
      happens: `an execution ends as ${ending} (AWS/Lambda DurableExecution${ending})`,
      heading: "Executions failed",
      samples: lambda("executor")(`DurableExecution${ending}`, 1),
      lastsMinutes: 1,
    })),
    {
      happens: "somebody stops an execution by hand (AWS/Lambda DurableExecutionStopped)",
      heading: null,
      samples: lambda("executor")("DurableExecutionStopped", 1),
    },
    {
      happens: "the account's executions are nearly all open (AWS/Lambda)",
      heading: "Executions near their quota",
      samples: lambdaOfAccount("ApproximateRunningDurableExecutionsUtilization", 92),
    },
  ];
}
