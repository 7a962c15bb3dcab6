import { describe, expect, it, vi } from "vitest";
import { environment, runLine } from "../../../support/cli/run-line.ts";
import { refusal, runService } from "../../../support/cli/run-service.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const recording = { id: "r-1", until: "2026-11-27T12:30:00.000Z" };
const line = ["trajectories", "record", id, "--workflow", id];

/** A recording of two actions with a look between them. @param finishes is what finishing answers, one after another. */
function recordings(finishes: (() => Response)[] = []) {
  const calls: string[] = [];
  const steps = [
    { type: "screenshot" },
    { type: "click", x: 4, y: 5 },
    { type: "type", text: "{customer}" },
  ].map((action, at) => ({ index: at + 1, action, status: "done", error: null }));
  const answer = async ({ method, url }: { method: string; url: string }) => {
    const { pathname, searchParams } = new URL(url);
    calls.push(`${method} ${pathname}`);
    if (pathname.endsWith("/steps"))
      return Response.json({ items: steps.slice(Number(searchParams.get("skip"))) });
    if (pathname.endsWith("/extend")) return Response.json(recording);
    if (method === "DELETE") return new Response(null, { status: 204 });
    if (pathname.endsWith("/finish")) {
      const trajectory = { id: "t-1", warnings: ["nothing of its end is checked"] };
      return finishes.shift()?.() ?? Response.json(trajectory, { status: 201 });
    }
    return Response.json(recording, { status: 201 });
  };
  return { answer, calls };
}

async function record(
  lines: string[],
  world: ReturnType<typeof recordings>,
  interrupts: readonly boolean[] = [],
  answers: readonly string[] = [],
) {
  let interrupt = (_isFinal?: boolean) => {};
  const running = runLine(line, {
    answer: world.answer,
    terminal: { environment, isInteractive: true, lines },
    onInterrupt: (listener) => {
      interrupt = listener;
    },
  });
  if (interrupts.length > 0)
    await vi.waitFor(() => expect(world.calls).toContain("GET /v1/recordings/r-1/steps"));
  // What waits for Enter does not get them.
  lines.push(...answers);
  for (const isFinal of interrupts) interrupt(isFinal);
  return await running;
}

describe("das trajectories record", () => {
  it("shows what is recorded, and makes a trajectory of it on Enter", async () => {
    const world = recordings([() => refusal(409, "conflict", "nothing was recorded")]);
    const { code, shown, errors } = await record(["", ""], world);
    expect(code).toBe(0);
    expect(errors).toContain("das: nothing was recorded (conflict)\n");
    expect(errors).toContain("nothing of its end is checked\n");
    expect(shown).toContain("trajectory t-1\nnext: das trajectories verify t-1 --watch\n");
  });

  it("leaves out looks, and discards the recording after ctrl-C and yes", async () => {
    const world = recordings();
    const { code, shown, errors } = await record([], world, [false], ["y"]);
    expect(shown).toBe("recording r-1\n  2  click at 4, 5\n  3  type {customer}\n");
    expect(errors).toContain("Discard the recording? [y/N]");
    expect([code, world.calls.filter((call) => call.startsWith("DELETE"))]).toEqual([
      130,
      ["DELETE /v1/recordings/r-1"],
    ]);
  });

  it("leaves the recording as it is after a second ctrl-C", async () => {
    const world = recordings();
    const { code, errors } = await record([], world, [false, false]);
    expect(errors).toContain("the recording goes on: das recordings finish r-1");
    expect([code, world.calls.some((call) => call.startsWith("DELETE"))]).toEqual([130, false]);
  });

  it("is 2 without a terminal, and begins nothing", async () => {
    const { code, sent } = await runLine(line);
    expect([code, sent]).toEqual([2, []]);
  });
});

describe("das trajectories verify and approve", () => {
  it("shows what is to be known of a verification, and its run to the end", async () => {
    const { answer } = runService([{ status: "success" }]);
    const { code, sent, shown, errors } = await runLine(
      ["trajectories", "verify", id, "--input", "customer=Jones", "--watch"],
      {
        answer: async (request) => {
          if (!request.url.endsWith("/verify")) return await answer(request);
          return Response.json(
            { run: { id }, warning: "It does the work again.", warnings: [] },
            { status: 201 },
          );
        },
      },
    );
    expect([code, errors]).toEqual([0, "It does the work again.\n"]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ input_values: { customer: "Jones" } });
    expect(shown).toBe(`run ${id}\nsuccess\n`);
  });

  it("approves a trajectory as the main one, with the service's warnings", async () => {
    const approved = {
      id,
      name: "Shop",
      is_approved: true,
      is_main: true,
      warnings: ["no check of its end"],
    };
    const { code, sent, shown, errors } = await runLine(["trajectories", "approve", id, "--main"], {
      answer: () => Response.json(approved),
    });
    expect([code, errors]).toEqual([0, "no check of its end\n"]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ is_approved: true, is_main: true });
    expect(shown).toMatch(/is_main +true/);
  });
});
