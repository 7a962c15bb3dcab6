import { type Cause, forHours, type Sources } from "./cause.ts";

const fleet = { one: 40, two: 30, three: 20, four: 10 };

/** Callers and desktops notice these. */
export async function causesOfCalls(sources: Sources): Promise<readonly Cause[]> {
  const { http, webSocket, request, fleetFall } = sources;
  const failedBy = async (...given: Parameters<typeof request>) => [
    ...http("Count", 1),
    ...http("5xx", 1),
    ...(await request(...given)),
  ];
  const tableAway = await failedBy("tableAway");
  const slow = await request("slow");
  const bug = await request("bug");
  const bothRates = ["fast", "slow"];
  return [
    {
      happens: "the table is away for eight minutes",
      heading: "HTTP server errors",
      subjects: ["fast"],
      samples: tableAway,
      times: 5,
      lastsMinutes: 8,
    },
    {
      happens: "the table is away",
      heading: "HTTP server errors",
      subjects: bothRates,
      samples: tableAway,
      times: 5,
    },
    {
      happens: "one request in a hundred fails, for hours",
      heading: "HTTP server errors",
      subjects: ["slow"],
      samples: tableAway,
      every: 5,
      ...forHours,
    },
    { happens: "four requests a night fail", heading: null, samples: tableAway, every: 120, ...forHours },
    {
      happens: "desktops do not respond",
      heading: null,
      samples: await failedBy("driverTimeout", "computer"),
      times: 10,
    },
    { happens: "callers send what is refused", heading: null, samples: await request("refused"), times: 50 },
    { happens: "a bug fails requests for an hour", heading: "Errors logged", samples: bug, every: 3 },
    { happens: "a bug fails requests for five minutes", heading: null, samples: bug, lastsMinutes: 5 },
    {
      happens: "requests take three seconds",
      heading: "Slow responses",
      subjects: bothRates,
      samples: slow,
      times: 60,
    },
    {
      happens: "a third of the requests take three seconds, for hours",
      heading: "Slow responses",
      subjects: ["slow"],
      samples: slow,
      times: 10,
      ...forHours,
    },
    {
      happens: "the secret store is full",
      heading: "Secrets full",
      samples: await request("secretsFull"),
    },
    {
      happens: "API Gateway throttles posts to connections",
      heading: null,
      samples: await request("throttledPost", "computer"),
    },
    {
      happens: "API Gateway cannot hand messages to tunnel (AWS/ApiGateway ExecutionError)",
      heading: "Tunnel integration errors",
      samples: webSocket("ExecutionError", 2),
    },
    {
      happens: "drivers with an old key are refused (AWS/ApiGateway IntegrationError)",
      heading: null,
      samples: [...webSocket("IntegrationError", 20), ...(await sources.refusedHandshake({}))],
    },
    {
      happens: "most organizations' machines lose the service",
      heading: "Machines lost",
      subjects: ["5 minutes"],
      samples: await fleetFall(fleet, { one: 40, two: 10, three: 0, four: 2 }, 5),
      lastsMinutes: 1,
    },
    {
      happens: "most organizations' machines go within an hour",
      heading: "Machines lost",
      subjects: ["60 minutes"],
      samples: await fleetFall(fleet, { one: 40, two: 0, three: 0, four: 0 }, 60),
      lastsMinutes: 1,
    },
    ...(await Promise.all(
      [5, 60].map(async (minutes) => ({
        happens: `the largest customer switches an office off within ${minutes} minutes`,
        heading: null,
        samples: await fleetFall(fleet, { ...fleet, one: 0 }, minutes),
        lastsMinutes: 1,
      })),
    )),
    {
      happens: "GET /v1/health fails from outside (CloudWatchSynthetics SuccessPercent)",
      heading: "Canary failing",
      samples: sources.canary()("SuccessPercent", 0),
    },
    {
      happens: "the canary is off (CloudWatchSynthetics SuccessPercent)",
      heading: "Canary failing",
      silences: sources.canary()("SuccessPercent", 100),
    },
  ];
}
