import { describe, expect, it } from "vitest";
import { ErrorBody, ValidationErrorBody } from "../../../shared/contract/errors.ts";
import { Trajectory, WrittenTrajectory } from "../../../shared/contract/trajectory/trajectory.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { aPicture, aPiece, replayable } from "../../support/builders/elements.ts";
import { light, trajectoriesWorld } from "./trajectories-world.ts";

async function setUp(fields: Partial<Workflow> = {}) {
  const world = await trajectoriesWorld();
  const workflow = await world.putWorkflow({ executor: "service", ...fields });
  const ofService = { workflow_id: workflow.id, trajectory_data: replayable(), expect: [aPiece()] };
  const inputs = { original_input_values: { name: "Ada" } };
  return {
    ...world,
    workflow,
    makeReplayable: (more: object = {}) => world.make({ ...ofService, ...inputs, ...more }),
    approve: (more: object) => world.ask("POST", "", { ...ofService, ...inputs, is_approved: true, ...more }),
    read: async (id: string) => Trajectory.parse((await world.ask("GET", `/${id}`)).json),
  };
}

const [click, type, , copy, finish] = replayable();
const notVerified = expect.stringContaining("not verified");

describe("an approval where the service carries out the runs", () => {
  it("takes what it can replay, and says that nothing has verified it", async () => {
    const { approve } = await setUp();
    const answer = await approve({ expect: [aPiece()], checks: [{ kind: "file", path: "out.csv" }] });
    expect(answer.status).toBe(201);
    expect(WrittenTrajectory.parse(answer.json)).toMatchObject({
      is_approved: true,
      has_been_approved: true,
      is_main: false,
      verified_at: null,
      warnings: [notVerified],
    });
  });

  const shell = { type: "shell", command: "date", save_as: "today" };
  it.each<[string, readonly unknown[], readonly (string | number)[], string]>([
    ["another format", [click, ...light], [1, "action"], "element 2 cannot be replayed: action: "],
    ["a click that nothing finds", [{ ...click, anchor: undefined }], [0, "anchor"], "by: model"],
    [
      "a click that nothing is known of but what lies beside it",
      [{ ...click, anchor: aPiece({ x: 200 }) }],
      [0, "guard"],
      "a guard around the point",
    ],
    [
      "a text that may be left out",
      [click, { action: { type: "type", text: "a" }, optional: true }],
      [1, "optional"],
      "may be left out",
    ],
    ["typing into an unseen field", [{ action: { type: "type", text: "a" } }], [0, "guard"], "a guard"],
    ["keys into an unseen field", [{ action: { type: "key", text: "a" } }, click], [0, "guard"], "a guard"],
    [
      "a secret in a path",
      [{ action: { type: "read_file", path: "~/Transfers/{$pin}", save_as: "a" } }],
      [0, "action", "path"],
      "{$pin} is filled in where something is typed only",
    ],
    [
      "a secret in the output",
      [{ action: { type: "finish", output: { a: [1, "{$pin.totp}"] } }, by: "model" }],
      [0, "action", "output", "a", 1],
      "{$pin.totp}",
    ],
    [
      "the recording's output",
      [{ action: { type: "finish", output: { a: "{name}", b: ["Ada"] } } }],
      [0, "action", "output", "b", 0],
      "the recording's",
    ],
    [
      "a number for an output",
      [{ action: { type: "finish", output: 7 } }],
      [0, "action", "output"],
      "by: model",
    ],
    ["what comes after the end", [finish, click], [1], "comes after finish"],
    ["the shell", [{ action: shell }], [0, "action", "type"], "allow_shell"],
    [
      "a file elsewhere",
      [{ action: { type: "write_file", path: "~/.profile", content: "" } }],
      [0, "action", "path"],
      "allow_shell",
    ],
    [
      "a piece of another size",
      [{ ...click, anchor: aPiece({ png: aPicture(32, 64) }) }],
      [0, "anchor", "png"],
      "png is 32 x 64 and should be 64 x 64",
    ],
    [
      "no picture at all",
      [{ ...type, guard: aPiece({ png: "AAAA" }) }],
      [0, "guard", "png"],
      "png cannot be read",
    ],
    [
      "a thumbnail of another size",
      [{ ...click, anchor: aPiece({ thumbnail: aPicture(40, 64) }) }],
      [0, "anchor", "thumbnail"],
      "thumbnail is 40 x 64",
    ],
  ])("refuses %s, with the element and the reason", async (_, data, at, reason) => {
    const { approve, make, ask, workflow } = await setUp();
    const answers = [await approve({ trajectory_data: data })];
    const { id } = await make({ workflow_id: workflow.id, trajectory_data: data });
    answers.push(await ask("PATCH", `/${id}`, { is_approved: true }));
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      const [problem] = ValidationErrorBody.parse(answer.json).detail;
      expect(problem?.loc).toEqual(["body", "trajectory_data", ...at]);
      expect(problem?.msg).toContain(reason);
    }
    expect((await ask("GET", "?is_approved=true")).json.total).toBe(0);
  });

  it.each<[string, unknown, readonly (string | number)[], string]>([
    ["another format", light[0], ["action"], "element 2 of reset cannot be replayed: action: "],
    ["a click that nothing finds", { ...click, anchor: undefined }, ["anchor"], "by: model"],
    ["what a model decides", { ...click, by: "model" }, ["by"], "a reset is done without a model"],
    ["what saves a value", copy, ["action", "type"], "copy_to_clipboard does more than act on the screen"],
    ["an end", finish, ["action", "type"], "finish does more than act on the screen"],
  ])("refuses %s in a reset", async (_, element, at, reason) => {
    const { approve } = await setUp();
    const answer = await approve({ reset: [click, element] });
    const [problem] = ValidationErrorBody.parse(answer.json).detail;
    expect(problem).toMatchObject({ loc: ["body", "reset", 1, ...at], msg: expect.stringContaining(reason) });
  });

  it("refuses a last screen that is none", async () => {
    const { approve } = await setUp();
    const answer = await approve({ expect: [aPiece(), aPiece({ png: aPicture(1, 1) })] });
    expect(ValidationErrorBody.parse(answer.json).detail[0]?.loc).toEqual(["body", "expect", 1, "png"]);
  });

  it.each<[string, readonly unknown[], Partial<Workflow>]>([
    [
      "a click that is found by what lies beside it",
      [{ ...click, anchor: aPiece({ x: 200 }), guard: aPiece() }],
      {},
    ],
    ["a click where the pointer is", [{ action: { type: "click" } }], {}],
    ["what a model decides", [{ action: { type: "click", x: 1, y: 2 }, by: "model" }], {}],
    ["an output that a model decides", [{ action: { type: "finish", output: "done" }, by: "model" }], {}],
    ["the shell where it is allowed", [{ action: shell }], { allowShell: true }],
    ["a file of the transfers", [{ action: { type: "read_file", path: "~/Transfers/a", save_as: "a" } }], {}],
    [
      "a file of the exports",
      [copy, { action: { type: "write_file", path: "{copied}/a", content: "" } }],
      {},
    ],
    ["a secret that is typed", [click, { action: { type: "type", text: "{$pin}" } }], {}],
  ])("takes %s", async (_, data, fields) => {
    const { approve } = await setUp(fields);
    const answer = await approve({ trajectory_data: data, original_input_values: null });
    const asksModel = JSON.stringify(data).includes('"by":"model"');
    const warned = asksModel ? [expect.stringContaining("element 1 (")] : [];
    expect([answer.status, answer.json.warnings]).toEqual([201, [...warned, notVerified]]);
  });

  it("says of each element that asks a model which, why, and what that costs a run", async () => {
    const { approve } = await setUp();
    const target = "the row of {name}";
    const answer = await approve({
      trajectory_data: [
        { action: { type: "click", x: 1, y: 2, target }, by: "model" },
        { action: { type: "click", x: 1, y: 2, target: "the field" }, by: "model" },
        click,
        { ...click, by: "model" },
        { action: { type: "type", text: "{name}" }, by: "model" },
        { action: { type: "read", question: "Which number?", save_as: "number" } },
        { action: { type: "finish", output: { ok: true } }, by: "model" },
      ],
      checks: [
        { kind: "file", path: "out.csv" },
        { kind: "sentence", text: "the order is there" },
      ],
    });
    const { warnings } = answer.json as { readonly warnings: readonly string[] };
    const words = warnings.filter((each) => each.includes("asks a model: "));
    expect(words.every((each) => each.includes("call of a model in each run; with replay `only`"))).toBe(
      true,
    );
    expect(words.map((each) => each.slice(0, each.indexOf(";")))).toEqual([
      'element 1 (click, "the row of {name}") asks a model: its target names {name}, so that it acts on something else with other values',
      'element 2 (click, "the field") asks a model: there is no picture of its place',
      'element 4 (click, "the field Name") asks a model: it says by: model',
      "element 5 (type) asks a model: there is no picture of where it types",
      "element 6 (read) asks a model: it reads a value off the screen",
      "element 7 (finish) asks a model: its output has values that are neither inputs nor saved ones",
      'check 2 ("the order is there") asks a model: a sentence is judged by one',
    ]);
  });

  const write = { action: { type: "write_file", path: "~/Transfers/out.csv", content: "{name}" } };
  it.each<[string, readonly unknown[], string | null]>([
    ["what it writes", [click, write], '{"kind":"file","path":"~/Transfers/out.csv"}'],
    ["what its last click is to do", [click, type], "the field Name did its work with {name}"],
    ["nothing where it has no words for it", [{ action: { type: "click" } }, type], null],
  ])("warns of an end that is not checked, and proposes to check %s", async (_, data, proposed) => {
    const { approve } = await setUp();
    const warningsWith = async (more: object) =>
      (await approve({ trajectory_data: data, expect: [], ...more })).json.warnings as readonly string[];
    const isOfEnd = (each: string) => each.includes("checks nothing of its end");
    const [warning, ...others] = (await warningsWith({})).filter(isOfEnd);
    expect(others).toEqual([]);
    if (proposed === null) expect(warning).not.toContain("for example");
    else expect(warning).toContain(proposed);
    for (const more of [{ expect: [aPiece()] }, { checks: [{ kind: "file", path: "a" }] }]) {
      expect((await warningsWith(more)).filter(isOfEnd)).toEqual([]);
    }
    const failing = [click, { action: { type: "fail", reason: "no" } }];
    expect((await warningsWith({ trajectory_data: failing })).filter(isOfEnd)).toEqual([]);
  });

  it("keeps a reset, judges a new one, and takes it for a change of what is replayed", async () => {
    const { makeReplayable, ask, read, stores, organizationId } = await setUp();
    const { id } = await makeReplayable({ reset: [click], is_approved: true });
    expect(await read(id)).toMatchObject({ reset: [click], expect: [aPiece()], checks: [] });
    const verifiedAt = "2026-01-01T00:00:00.000Z";
    await stores.trajectories.update(organizationId, id, { verifiedAt, updatedAt: verifiedAt });
    const text = { type: "type", text: "{who}" };
    const patched = await ask("PATCH", `/${id}`, { reset: [click, { action: text }] });
    expect(WrittenTrajectory.parse(patched.json)).toMatchObject({
      reset: [click, { action: text }],
      verified_at: null,
      warnings: [expect.stringContaining("of reset names {who}"), notVerified],
    });
    const copied = await ask("POST", `/${id}/duplicate`);
    expect(Trajectory.parse(copied.json).reset).toEqual([click, { action: text }]);
    const many = await ask("PATCH", `/${id}`, { reset: Array.from({ length: 21 }, () => click) });
    expect(ValidationErrorBody.parse(many.json).detail[0]?.loc).toEqual(["body", "reset"]);
  });

  it("warns of an end elsewhere than the beginning until other elements, or a reset, are given", async () => {
    const { ask, stores, organizationId, workflow } = await setUp();
    const warned = async (change: object) => {
      const { id } = await stores.put.trajectory({
        organizationId,
        workflowId: workflow.id,
        originalInputValues: { name: "Ada" },
        data: { kind: "inline", value: JSON.parse(JSON.stringify(replayable())) },
        screens: {
          kind: "inline",
          value: { expect: [aPiece()], checks: [], reset: [], endsElsewhere: true },
        },
      });
      const answer = await ask("PATCH", `/${id}`, { is_approved: true, ...change });
      return JSON.stringify(WrittenTrajectory.parse(answer.json).warnings).includes("elsewhere");
    };
    expect(await warned({})).toBe(true);
    expect(await warned({ checks: [] })).toBe(true);
    expect(await warned({ trajectory_data: replayable() })).toBe(false);
    expect(await warned({ reset: [click] })).toBe(false);
  });

  it("warns of a reset that lacks what a model did to reach the first screen until another one is given", async () => {
    const { ask, stores, organizationId, workflow } = await setUp();
    const warned = async (change: object) => {
      const { id } = await stores.put.trajectory({
        organizationId,
        workflowId: workflow.id,
        originalInputValues: { name: "Ada" },
        data: { kind: "inline", value: JSON.parse(JSON.stringify(replayable())) },
        screens: { kind: "inline", value: { expect: [aPiece()], checks: [], reset: [], resetLacks: 2 } },
      });
      const answer = await ask("PATCH", `/${id}`, { is_approved: true, ...change });
      return JSON.stringify(WrittenTrajectory.parse(answer.json).warnings).includes(
        "its reset lacks 2 steps",
      );
    };
    expect(await warned({})).toBe(true);
    expect(await warned({ checks: [] })).toBe(true);
    expect(await warned({ trajectory_data: replayable() })).toBe(false);
    expect(await warned({ reset: [click] })).toBe(false);
  });

  it("warns of names that nothing gives a value to", async () => {
    const { approve } = await setUp({ inputSchema: { type: "object", properties: { day: {} } } });
    const text = { type: "type", text: "{name} {day.short} {copied} {who}" };
    const answer = await approve({ trajectory_data: [click, { action: text }, copy, { action: text }] });
    expect(answer.json.warnings).toEqual([
      expect.stringContaining("element 2 names {copied}"),
      expect.stringContaining("element 2 names {who}"),
      expect.stringContaining("element 4 names {who}"),
      notVerified,
    ]);
  });

  it("warns of inputs of the recording that no element names, and of texts that are typed in each run", async () => {
    const { approve } = await setUp();
    const pressed = { ...click, action: { type: "click", x: 40, y: 50, target: "the row of {name}" } };
    const typed = (text: string, more: object = {}) => ({ ...type, action: { type: "type", text }, ...more });
    const answer = await approve({
      original_input_values: { name: "Ada", customer: { city: "Ulm", street: "Weg" } },
      trajectory_data: [
        pressed,
        typed("{customer.city}"),
        typed("x".repeat(100)),
        typed("4711", { is_from_screen: true }),
        typed("\n"),
        typed("Order 4711 {customer.city}, urgent", { is_from_screen: true }),
        typed("{customer.city} {customer.city}"),
        typed("for {customer.city}: "),
        { action: { type: "finish", output: { name: "{name}" } } },
      ],
    });
    expect(answer.json.warnings).toEqual([
      expect.stringContaining("the input {name} of the recording"),
      expect.stringContaining("the input {customer.street} of the recording"),
      expect.stringContaining(`element 3 types "${"x".repeat(80)}…" in each run`),
      expect.stringContaining('element 4 types "4711", which stood on the recorded screen'),
      expect.stringContaining('element 6 types "Order 4711 … urgent", which stood on the recorded screen'),
      expect.stringContaining('element 8 types "for" in each run'),
      notVerified,
    ]);
    const byModel = await approve({ trajectory_data: [{ ...pressed, by: "model" }] });
    expect(byModel.json.warnings).toEqual([expect.stringContaining("element 1 (click"), notVerified]);
  });

  it("warns of clicks that nobody has said anything of, in a recording with inputs", async () => {
    const { approve } = await setUp();
    const bare = { ...click, action: { type: "click", x: 40, y: 50 } };
    const trajectory_data = [
      bare,
      click,
      { ...bare, by: "model" },
      { action: { type: "click" } },
      bare,
      type,
    ];
    const warned = async (original_input_values: object | null) => {
      const answer = await approve({ trajectory_data, original_input_values });
      const { warnings } = answer.json as { readonly warnings: readonly string[] };
      return warnings.filter((each) => each.includes("without a target"));
    };
    expect(await warned({ name: "Ada" })).toEqual([
      expect.stringContaining("elements 1, 5 act at a recorded place, without a target: "),
    ]);
    expect([...(await warned({})), ...(await warned(null))]).toEqual([]);
  });

  it("shows what is wrong with the end, and how many warnings it leaves out, where there are too many", async () => {
    const { approve } = await setUp();
    const constant = { ...type, action: { type: "type", text: "a" } };
    const trajectory_data = [click, type, ...Array.from({ length: 50 }, () => constant)];
    const { warnings } = (await approve({ trajectory_data, expect: [] })).json as { warnings: string[] };
    expect(warnings).toHaveLength(42);
    expect(warnings[0]).toContain("checks nothing of its end");
    expect(warnings.slice(-2)).toEqual([expect.stringMatching(/^and 11 more warnings/), notVerified]);
  });

  it("looks at what an approved one is changed to, and at nothing else", async () => {
    const { approve, ask, read } = await setUp();
    const { id } = (await approve({})).json;
    const refused = await ask("PATCH", `/${id}`, { trajectory_data: light });
    expect(refused.status).toBe(422);
    expect((await read(id)).trajectory_data).toHaveLength(5);
    expect((await ask("PATCH", `/${id}`, { expect: [aPiece({ png: "AAAA" })] })).status).toBe(422);
    expect((await ask("PATCH", `/${id}`, { name: "n" })).json).not.toHaveProperty("warnings");
    const changed = await ask("PATCH", `/${id}`, { is_approved: false, trajectory_data: light });
    expect(changed.json).toMatchObject({ is_approved: false, has_been_approved: true });
    expect(changed.json).not.toHaveProperty("warnings");
  });

  it("answers a repeat under its key with the same warnings, whatever has become of it", async () => {
    const { makeReplayable, ask } = await setUp();
    const { id } = await makeReplayable();
    const patch = () => ask("PATCH", `/${id}`, { is_approved: true }, { "idempotency-key": "approve" });
    const first = await patch();
    expect(first.json.warnings).toEqual([notVerified]);
    await ask("PATCH", `/${id}`, { is_approved: false });
    expect((await patch()).json).toEqual(first.json);
    await ask("DELETE", `/${id}`);
    expect((await patch()).status).toBe(200);
  });
});

describe("an approval where a worker carries out the runs", () => {
  it("takes any format, and says why the service could not replay it", async () => {
    const { approve } = await setUp({ executor: "worker" });
    const answer = await approve({ trajectory_data: light });
    expect([answer.status, answer.json.warnings]).toEqual([
      201,
      [expect.stringContaining("element 1 cannot be replayed: action: ")],
    ]);
    expect((await approve({})).json.warnings).toEqual([]);
  });
});

describe("what the last screen shows, and what is checked", () => {
  it("is kept, changed one by one, read again, copied, and left out of lists", async () => {
    const { makeReplayable, ask, read } = await setUp();
    const checks = [{ kind: "sentence", text: "the order is there" }];
    const pieces = Array.from({ length: 8 }, () => aPiece());
    const made = await makeReplayable({ expect: pieces, checks });
    expect(made).toMatchObject({ expect: pieces, checks });
    expect(await read(made.id)).toEqual(made);
    const [first] = (await ask("GET", "")).json.items;
    expect(Object.keys(first).filter((name) => ["expect", "checks"].includes(name))).toEqual([]);
    expect((await ask("GET", "?fields=checks")).json.items[0]).toMatchObject({ checks });
    const other = [{ kind: "file", path: "~/Transfers/out.csv" }];
    expect((await ask("PATCH", `/${made.id}`, { checks: other })).json).toMatchObject({
      expect: pieces,
      checks: other,
    });
    expect((await ask("PATCH", `/${made.id}`, { expect: [] })).json).toMatchObject({
      expect: [],
      checks: other,
    });
    expect(await read(made.id)).toMatchObject({ expect: [], checks: other });
    const copy = await ask("POST", `/${made.id}/duplicate`);
    expect(copy.json).toMatchObject({ expect: [], checks: other, is_approved: false });
  });

  it.each([
    [{ expect: Array.from({ length: 9 }, () => aPiece()) }, ["expect"]],
    [{ expect: [aPiece({ width: 321 })] }, ["expect", 0, "width"]],
    [{ checks: [{ kind: "guess" }] }, ["checks", 0, "kind"]],
    [{ checks: [{ kind: "file", path: "" }] }, ["checks", 0, "path"]],
    [{ checks: [null] }, ["checks", 0]],
  ])("is refused in the form %#", async (fields, at) => {
    const { ask, makeReplayable } = await setUp();
    const answer = await ask("PATCH", `/${(await makeReplayable()).id}`, fields);
    expect(ValidationErrorBody.parse(answer.json).detail[0]?.loc).toEqual(["body", ...at]);
  });
});

describe("the main trajectory of a workflow", () => {
  it("is the approved one that was made it last", async () => {
    const { approve, ask, read, stores, organizationId, workflow } = await setUp();
    const [one, two] = [(await approve({})).json.id, (await approve({})).json.id];
    const main = async () => (await stores.trajectories.findMain(organizationId, workflow.id))?.id;
    expect(await main()).toBeUndefined();
    for (const id of [one, two, two, one]) {
      expect((await ask("PATCH", `/${id}`, { is_main: true })).json.is_main).toBe(true);
      expect(await main()).toBe(id);
      expect((await read(id === one ? two : one)).is_main).toBe(false);
    }
    expect((await ask("PATCH", `/${two}`, { is_main: false })).json.is_main).toBe(false);
    expect(await main()).toBe(one);
    expect((await ask("PATCH", `/${one}`, { is_main: false })).json.is_main).toBe(false);
    expect(await main()).toBeUndefined();
  });

  it("has to be approved", async () => {
    const { makeReplayable, ask } = await setUp();
    const { id } = await makeReplayable();
    for (const body of [{ is_main: true }, { is_main: true, is_approved: false }]) {
      const answer = await ask("PATCH", `/${id}`, body);
      expect([answer.status, ErrorBody.parse(answer.json).error_code]).toEqual([409, "conflict"]);
    }
    const both = await ask("PATCH", `/${id}`, { is_main: true, is_approved: true });
    expect(both.json).toMatchObject({ is_main: true, is_approved: true, warnings: [notVerified] });
  });

  it.each([
    ["not approved any more", (ask: Ask, id: string) => ask("PATCH", `/${id}`, { is_approved: false })],
    ["deleted", (ask: Ask, id: string) => ask("DELETE", `/${id}`)],
  ])("is none once it is %s", async (_, end) => {
    const { approve, ask, stores, organizationId, workflow } = await setUp();
    const { id } = (await approve({})).json;
    await ask("PATCH", `/${id}`, { is_main: true });
    await end(ask, id);
    expect(await stores.trajectories.findMain(organizationId, workflow.id)).toBeUndefined();
    const next = (await approve({})).json.id;
    expect((await ask("PATCH", `/${next}`, { is_main: true })).status).toBe(200);
    expect((await stores.trajectories.findMain(organizationId, workflow.id))?.id).toBe(next);
  });

  it("becomes so by itself when it is the first that is approved and verified", async () => {
    const { stores, organizationId, workflow, ask } = await setUp();
    const verified = { organizationId, workflowId: workflow.id, verifiedAt: "2026-01-15T12:00:00.000Z" };
    const data = { kind: "inline", value: [{ action: { type: "click" } }] } as const;
    const screens = { kind: "inline", value: { expect: [aPiece()], checks: [], reset: [] } } as const;
    const [one, two] = [
      await stores.put.trajectory({ ...verified, data, screens }),
      await stores.put.trajectory({ ...verified, data, screens }),
    ];
    const first = await ask("PATCH", `/${one.id}`, { is_approved: true });
    expect(first.json).toMatchObject({ is_main: true, warnings: [] });
    expect((await ask("PATCH", `/${two.id}`, { is_approved: true })).json.is_main).toBe(false);
    const changed = await ask("PATCH", `/${one.id}`, { dimensions: { width: 1, height: 1 } });
    expect(changed.json).toMatchObject({ is_main: true, verified_at: null, warnings: [notVerified] });
  });

  it("is one, of many that are made it at once", async () => {
    const { approve, ask, read, stores, organizationId, workflow } = await setUp();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await approve({})).json.id);
    const answers = await Promise.all(ids.map((id) => ask("PATCH", `/${id}`, { is_main: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const main = await stores.trajectories.findMain(organizationId, workflow.id);
    const all = await Promise.all(ids.map(read));
    expect(all.filter(({ is_main }) => is_main).map(({ id }) => id)).toEqual([main?.id]);
  });
});

type Ask = Awaited<ReturnType<typeof setUp>>["ask"];
