import { CfnQueryDefinition } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Watched } from "./watched.ts";

export interface SavedQueriesProps {
  readonly watched: Watched;
  readonly deployment: string;
}

interface SavedQuery {
  /** @default all functions */
  readonly of?: readonly string[];
  readonly lines: readonly string[];
}

const steps = 'filter message = "step taken"';

/** An id in capitals is to be replaced in CloudWatch's console, as are the times. */
const queries: Readonly<Record<string, SavedQuery>> = {
  "One run": {
    lines: [
      "fields @timestamp, @log, message, step, phase, model_ms, desktop_ms, waits_for, error_code",
      'filter run_id = "RUN"',
      "sort @timestamp",
    ],
  },
  "One request": {
    lines: ["fields @timestamp, @log, @message", 'filter request_id = "REQUEST"', "sort @timestamp"],
  },
  "One machine": {
    lines: ["fields @timestamp, @log, message, outcome", 'filter machine_id = "MACHINE"', "sort @timestamp"],
  },
  Errors: {
    lines: [
      "fields @timestamp, @log, @message",
      'filter level in ["error", "ERROR"]',
      "sort @timestamp desc",
      "limit 50",
    ],
  },
  "Where the time of steps goes": {
    of: ["executor"],
    lines: [
      steps,
      "stats count(*) as n, avg(duration_ms), avg(model_ms), avg(desktop_ms), pct(duration_ms, 95) by phase, provider",
      "sort n desc",
    ],
  },
  "What runs wait for": {
    of: ["executor"],
    lines: [
      steps,
      "filter ispresent(waits_for)",
      "stats count(*) as n, count_distinct(run_id) as runs, latest(run_id) by waits_for, phase",
      "sort n desc",
    ],
  },
  "Failures of providers": {
    of: ["executor"],
    lines: [
      steps,
      "filter model_failures > 0 or model_refusals > 0",
      "stats count(*) as n by provider, model, model_outcome, bin(5m)",
    ],
  },
  "Time to assignment": {
    of: ["matcher", "sweeper"],
    lines: [
      'filter message = "run assigned"',
      "stats count(*) as n, pct(matched_ms, 95), pct(waited_ms, 50), max(waited_ms) by bin(5m)",
    ],
  },
};

/** A query costs what it reads, and nothing while it is saved. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { watched, deployment }: SavedQueriesProps) {
    super(scope, id);
    for (const [name, { of, lines }] of Object.entries(queries)) {
      const { logGroups } = watched;
      const read = of ?? Object.keys(logGroups);
      new CfnQueryDefinition(this, name.replaceAll(" ", ""), {
        // A folder for each deployment, since the console lists an account's queries by their names.
        name: `das-${deployment}/${name}`,
        queryString: lines.join("\n| "),
        logGroupNames: read.map((each) => logGroups[each]).filter((group) => group !== undefined),
      });
    }
  }
}
