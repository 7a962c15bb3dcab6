import { describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { type Decide, replyWith, usage, wordsOf } from "../support/execution/fake-models.ts";
import { eachKind, KillSwitch } from "../support/execution/kill-switch.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";

const read: Action = { type: "read", question: "What is it?", save_as: "it" };
const finish: Action = { type: "finish", output: { it: "{it}" } };

const scroll: Action = { type: "scroll", direction: "down", amount: 1 };

const replies: readonly (readonly Action[])[] = [
  [scroll, { type: "move", x: 5, y: 150, target: "the list" }],
  [{ type: "wait", seconds: 6 }],
  [{ type: "type", text: "{item}" }],
  [read],
  [finish],
];

const decide: Decide = ({ turns, tools }) => {
  if (tools.kind === "answer") return { kind: "answered", value: "an order", usage };
  let done = turns
    .flatMap((turn) => (turn.role === "results" ? turn.results : []))
    .filter(({ isError }) => !isError).length;
  for (const reply of replies) {
    if (done < reply.length) return replyWith(reply.slice(done));
    done -= reply.length;
  }
  throw new Error("there is nothing left to do");
};

async function worldWith(kills: KillSwitch) {
  return await executionWorld({
    recording: scrolls(1),
    desk: smallDesk,
    inputs: { item: "Chair" },
    secrets: {},
    kills,
    workflow: { mainPrompt: "Order {item}." },
    model: { decide },
  });
}

const expected = ["scroll", "move", "type"];

function actionsOf({ driver }: Awaited<ReturnType<typeof worldWith>>): readonly string[] {
  return driver.done.map(
    ({ body }) => (JSON.parse(body) as { actions: { type: string }[] }).actions[0]?.type ?? "",
  );
}

describe("an execution with a model that is killed", () => {
  it("after any call of its does each action once, and asks once more at most", async () => {
    const whole = new KillSwitch();
    const world = await worldWith(whole);
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(actionsOf(world)).toEqual(expected);
    const calls = world.requests.length;
    expect(calls).toBe(6);
    const turns = [...whole.points.keys()].filter((at) => whole.points[at]?.name === "model");
    const ofTurns = [0, ...turns].flatMap((from, nth) => eachKind(whole.points.slice(from, turns[nth])));
    for (const { number, when, name } of ofTurns.filter((each) => each.when === "after")) {
      const killed = await worldWith(KillSwitch.at({ number, when }));
      const executed = await killed.execute();
      const run = await killed.find();
      const where = `${when} ${number} ${name}`;
      expect([where, executed.kind, run?.status, run?.outputData]).toMatchObject([
        ...[where, expect.stringMatching(/ended|stopped/), "success", { value: { it: "an order" } }],
      ]);
      expect([where, actionsOf(killed)]).toEqual([where, expected]);
      expect([where, killed.requests.length - calls]).toEqual([where, expect.toSatisfy((more) => more <= 1)]);
      const undone = (await killed.steps()).filter(({ status }) => status !== "done");
      expect([where, undone.length]).toEqual([where, expect.toSatisfy((count) => count <= 1)]);
    }
  });

  it("goes on with a driver that was started anew: the model is told to look", async () => {
    let isKilled = false;
    const kills = new KillSwitch(({ name, when }) => {
      if (isKilled || name !== "desktop /computer/batch" || when !== "after") return false;
      isKilled = true;
      return true;
    });
    const world = await worldWith(kills);
    await world.execute({ onKill: () => world.driver.restart() });
    expect((await world.find())?.status).toBe("success");
    expect((await world.steps())[1]?.status).toBe("unknown");
    expect(wordsOf(world.requests[1]?.turns ?? [])).toContain("Nobody knows whether this was done");
    expect(actionsOf(world)).toEqual(["scroll", "scroll", "move", "type"]);
  });

  it("asks nothing any more for a run that was ended meanwhile", async () => {
    const world = await worldWith(new KillSwitch());
    const { deps, stores, run, organizationId } = world;
    const { put } = deps.files;
    deps.files.put = async (...given) => {
      await put.apply(deps.files, given);
      if (given[2] !== "image/png") return;
      const change = { status: "cancelled", endedAt: new Date(world.clock.now()).toISOString() } as const;
      await stores.runs.update(organizationId, run.id, change, { assignmentId: world.job.assignmentId });
    };
    expect(await world.execute()).toEqual({ kind: "stopped", reason: "run_ended" });
    expect([world.requests.length, world.driver.done.length]).toEqual([0, 0]);
  });
});
