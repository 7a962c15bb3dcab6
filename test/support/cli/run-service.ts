import type { FollowedRun, FollowedStep } from "../../../infra/cli/follow/follow-run.ts";
import { aRunBody } from "./run-bodies.ts";

interface Request {
  readonly method: string;
  readonly url: string;
}

/** A service with one run, whose reads go through its states, and without a live channel. */
export function runService(states: readonly Partial<FollowedRun>[], steps: readonly FollowedStep[] = []) {
  let reads = 0;
  let isCancelled = false;
  const waiting: (() => void)[] = [];
  const runNow = () => {
    const at = Math.min(reads, states.length - 1);
    return aRunBody({ revision: at + 1, ...states[at], ...(isCancelled && { status: "cancelled" }) });
  };
  const answer = async ({ method, url }: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === "/v1/live-tickets") return refusal(429, "rate_limited");
    if (pathname.endsWith("/cancel")) {
      isCancelled = true;
      for (const go of waiting.splice(0)) go();
      return Response.json(runNow());
    }
    if (pathname.endsWith("/steps")) {
      const later = steps.filter(({ index }) => index > Number(searchParams.get("after_index")));
      const isOver = !["scheduling", "running"].includes(runNow().status);
      if (later.length === 0 && !isOver) await new Promise<void>((resolve) => void waiting.push(resolve));
      const isLast = !["scheduling", "running"].includes(runNow().status) && later.length === 0;
      return Response.json({ items: later, total: steps.length, run: isLast ? runNow() : null });
    }
    if (method === "GET" && pathname.startsWith("/v1/runs/")) {
      const isLastState = reads >= states.length - 1;
      const isOver = !["scheduling", "running"].includes(runNow().status);
      const hasWait = searchParams.get("wait_seconds") !== "0";
      if (isLastState && !isOver && hasWait) await new Promise<void>((resolve) => void waiting.push(resolve));
      const run = runNow();
      reads += 1;
      if (!["scheduling", "running"].includes(runNow().status)) for (const go of waiting.splice(0)) go();
      return Response.json(run);
    }
    return Response.json(runNow(), { status: 201 });
  };
  return { answer };
}

export function refusal(status: number, error_code: string, message = "refused"): Response {
  return Response.json({ message, error_code, details: null }, { status });
}
