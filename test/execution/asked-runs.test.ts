import { describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import type { ConversationTurn } from "../../shared/domain/model/language-models.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { type Decide, picturesOf, replyWith, wordsOf } from "../support/execution/fake-models.ts";
import { type HeldWorldOptions, heldWorld } from "../support/execution/held-world.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";

const question = "Which code was sent to your phone?";
const ask: Action = { type: "ask_person", question };
const click: Action = { type: "click", x: 10, y: 190, target: "the corner" };
const finish: Action = { type: "finish" };

const inTurn =
  (...replies: readonly (readonly Action[])[]): Decide =>
  ({ turns }) =>
    replyWith(replies[turns.filter(({ role }) => role === "model").length] ?? [finish]);

const asked = async ({
  decide = inTurn([click], [ask], [click]),
  workflow,
  ...options
}: Partial<Omit<HeldWorldOptions, "model">> & { readonly decide?: Decide } = {}) =>
  await heldWorld({
    recording: scrolls(1),
    desk: smallDesk,
    secrets: {},
    model: { decide },
    ...options,
    workflow: { mayAsk: true, ...workflow },
  });

const resultsIn = (turn: ConversationTurn | undefined) => (turn?.role === "results" ? turn.results : []);

describe("a model that may ask", () => {
  it("holds the run for its question, and reads the note as what came of it", async () => {
    const { world, executed, seen } = await asked({
      meanwhile: async ({ drive, resume }) => {
        await drive("input/mouse/click", { x: 30, y: 190 });
        await resume("it is 4711");
      },
    });
    expect(executed).toEqual({ kind: "ended", status: "success" });
    expect(seen).toEqual([
      { held: expect.objectContaining({ by: { kind: "model", id: null }, reason: question }), done: 1 },
    ]);
    const told = world.requests[2]?.turns.at(-1);
    expect(resultsIn(told)).toMatchObject([
      { toolName: "ask_person", isError: false, text: expect.stringContaining("it is 4711") },
    ]);
    const steps = await world.steps();
    expect(steps.map(({ index }) => index)).toEqual(steps.map((_step, at) => at + 1));
    expect(steps.filter(({ source }) => source === "model").map(({ action }) => action)).toMatchObject([
      click,
      ask,
      click,
      finish,
    ]);
    const resumption = steps.find(({ action }) => action.type === "resume");
    expect(resumption).toMatchObject({ text: "it is 4711", source: "service" });
    // The picture is that of after the hold, and the only one that the question's result has.
    expect(told && picturesOf(told).map(({ png }) => png)).toEqual([
      await world.files.get(resumption?.pictureKey ?? "", 1e7),
    ]);
    expect(await world.find()).toMatchObject({ status: "success", held: null });
  });

  it("is told that a person went on without a note", async () => {
    const { world } = await asked();
    expect(wordsOf(world.requests[2]?.turns.slice(-1) ?? [])).toBe(
      "The person went on without a note. The picture shows what was done, if anything was.",
    );
  });

  it("stands still while the first person who holds the run drives", async () => {
    let times = 0;
    const { world, seen } = await asked({
      meanwhile: async ({ extend, resume, clock }) => {
        times += 1;
        if (times === 1) {
          // The question is left alone for as long as it may be, and then somebody comes.
          clock.advance(3_590_000);
          await extend(600);
        } else await resume("I have typed it");
      },
    });
    expect(seen.map(({ held }) => held)).toMatchObject([
      { by: { kind: "model" }, reason: question },
      { by: { kind: "user", id: "a-person" }, reason: question },
    ]);
    expect(await world.find()).toMatchObject({ status: "success" });
    expect(wordsOf(world.requests[2]?.turns ?? [])).toContain("I have typed it");
  });

  it("ends its run when nobody comes in time", async () => {
    const { world } = await asked({ meanwhile: async () => {} });
    expect(await world.find()).toMatchObject({ status: "error", errorCode: "hold_timed_out", held: null });
    expect(world.requests).toHaveLength(2);
  });

  it("goes on without an answer where its workflow says so", async () => {
    const { world } = await asked({ meanwhile: async () => {}, workflow: { onHoldTimeout: "resume" } });
    expect(await world.find()).toMatchObject({ status: "success" });
    expect(wordsOf(world.requests[2]?.turns.slice(-1) ?? [])).toContain("Nobody came in time.");
  });

  it("does none of what it asked for beside the question", async () => {
    const { world } = await asked({ decide: inTurn([ask, click]) });
    expect(world.driver.done).toHaveLength(0);
    expect(resultsIn(world.requests[1]?.turns.at(-1))).toMatchObject([
      { toolName: "ask_person", isError: false },
      { toolName: "click", isError: true, text: expect.stringContaining("Not done"), picture: {} },
    ]);
  });

  it("asks nothing where something before the question has changed the screen", async () => {
    const { world, seen } = await asked({
      decide: inTurn([{ ...click, ...demoRecording().elements[1]?.action }, ask], [ask]),
      desk: { open: true },
    });
    expect(seen).toHaveLength(1);
    expect(resultsIn(world.requests[1]?.turns.at(-1))).toMatchObject([
      { toolName: "click", isError: false },
      { toolName: "ask_person", isError: true },
    ]);
  });

  it("reads all notes where the run was held again before it could be told", async () => {
    let times = 0;
    const { world } = await asked({
      // Whoever comes second holds the run when the first one's note is on record, and the model not yet asked.
      at: ({ name, when }) => when === "after" && name === "checkpoint step 4",
      meanwhile: async ({ resume, clock }) => {
        times += 1;
        clock.advance(1_000);
        await resume(times === 1 ? "it is 4711" : "and now it is 4712");
      },
    });
    expect(times).toBe(2);
    expect(resultsIn(world.requests[2]?.turns.at(-1))[0]?.text).toMatch(/it is 4711\nand now it is 4712/);
  });

  it("is stuck when it asks the same again and again", async () => {
    const { world, seen } = await asked({ decide: () => replyWith([ask]) });
    expect(seen).toHaveLength(7);
    expect(await world.find()).toMatchObject({ status: "error", errorCode: "stuck", held: null });
  });

  it("may name a secret in its question, and never its value", async () => {
    const { world, seen } = await asked({
      secrets: { pin: "975311" },
      workflow: { mainPrompt: "Use {$pin}." },
      decide: inTurn([{ type: "ask_person", question: "Is 975311, which is {$pin}, still right?" }]),
      meanwhile: async ({ resume }) => await resume("no, 975311 is old"),
    });
    expect(seen[0]?.held?.reason).toBe("Is {$pin}, which is {$pin}, still right?");
    expect(JSON.stringify([await world.steps(), world.requests])).not.toContain("975311");
  });
});

describe("a model that may not ask", () => {
  it("is not offered the tool, and holds nothing when it calls it all the same", async () => {
    const { world, seen } = await asked({ workflow: { mayAsk: false }, decide: inTurn([ask]) });
    expect(seen).toEqual([]);
    expect(world.requests[0]?.tools).not.toMatchObject({ types: expect.arrayContaining(["ask_person"]) });
    expect(world.requests[0]?.system).toMatch(/Nobody watches or answers questions/);
    expect(resultsIn(world.requests[1]?.turns.at(-1))).toMatchObject([{ isError: true }]);
  });

  it("is told of the tool otherwise", async () => {
    const { world } = await asked();
    expect(world.requests[0]?.tools).toMatchObject({ types: expect.arrayContaining(["ask_person"]) });
    expect(world.requests[0]?.system).toMatch(/`ask_person` asks a person/);
    expect(world.requests[0]?.system).not.toMatch(/answers questions/);
  });
});

describe("a function that dies around a question", () => {
  it("asks once, acts once, and loses nothing, wherever it dies", async () => {
    // What nobody knows whether it was done is done again.
    const decide: Decide = ({ turns }) => {
      const done = turns.flatMap(resultsIn).filter(({ isError }) => !isError).length;
      return replyWith([[click, ask, click][done] ?? finish]);
    };
    const { world } = await asked({ decide });
    const { points } = world.kills;
    const from = points.findIndex(({ name, when }) => name === "checkpoint ask 1" && when === "after");
    const to = points.findIndex(({ name, when }) => name === "checkpoint ask 3" && when === "after");
    expect(from).toBeGreaterThan(0);
    expect(to - from).toBeGreaterThan(30);
    for (const { number, when, name } of points.slice(from, to + 1)) {
      let isKilled = false;
      const killed = await asked({
        decide,
        shouldKill: (point) => {
          if (isKilled || point.number !== number || point.when !== when) return false;
          isKilled = true;
          return true;
        },
      });
      const where = `${when} ${number} ${name}`;
      expect(killed.executed, where).toEqual({ kind: "ended", status: "success" });
      const ids = killed.world.driver.done.map(({ actionId }) => actionId);
      expect([ids.length, new Set(ids).size], where).toEqual([2, 2]);
      const steps = await killed.world.steps();
      const done = steps.filter(({ status }) => status === "done");
      expect(
        done.map(({ action }) => action.type),
        where,
      ).toEqual(["screenshot", "click", "ask_person", "resume", "click", "finish"]);
      const told = killed.world.requests.at(-2)?.turns ?? [];
      expect(
        told.flatMap(resultsIn).filter(({ toolName }) => toolName === "ask_person"),
        where,
      ).toMatchObject([{ isError: false, text: expect.stringContaining("without a note") }]);
    }
  });

  it("asks after the hold of a person who was quicker", async () => {
    const { world, seen } = await asked({
      // The model has decided to ask, and a person is quicker.
      at: (() => {
        let asks = 0;
        return ({ name, when }) => {
          if (name === "model" && when === "after") asks += 1;
          return asks === 2;
        };
      })(),
      meanwhile: async ({ resume }) => await resume("there"),
    });
    expect(seen.map(({ held }) => held?.by.kind)).toEqual(["user", "model"]);
    const kinds = (await world.steps()).map(({ action }) => action.type);
    expect(kinds).toEqual(["screenshot", "click", "resume", "ask_person", "resume", "click", "finish"]);
    expect(await world.find()).toMatchObject({ status: "success" });
  });
});
