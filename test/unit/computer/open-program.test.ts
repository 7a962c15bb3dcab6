import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const connection = { id: "c", websocketId: "w=", host: "h" };

async function setUp(capabilities: readonly string[] = ["open_program", "computer/batch"]) {
  const service = await createTestService();
  const app = createComputerApp(service.deps);
  const { id } = await service.putMachine({ connection, capabilities });
  const ask = asking(app, service.authorize());
  const post = async (path: string, body: object) => {
    const { status, json } = await ask("POST", `/v1/computer/${id}/${path}`, body);
    return { status, body: json };
  };
  const { channel } = service;
  const sent = () =>
    channel.requests.map(({ path, body }) => [path, JSON.parse(Buffer.from(body ?? []).toString())]);
  return { post, open: (body: object) => post("programs/open", body), channel, sent };
}

describe("opening a program", () => {
  it("goes to the driver by its name, and uses what is open unless it says otherwise", async () => {
    const { open, channel, sent } = await setUp();
    const opened = { was_open: true, is_shown: true };
    channel.willAnswer(answered(200, opened), answered(200, { was_open: false, is_shown: false }));
    expect(await open({ program: "Orders" })).toEqual({ status: 200, body: opened });
    expect(await open({ program: "Büro", if_open: "restart" })).toMatchObject({ body: { is_shown: false } });
    expect(sent()).toEqual([
      ["/computer/programs/open", { program: "Orders", if_open: "use" }],
      ["/computer/programs/open", { program: "Büro", if_open: "restart" }],
    ]);
  });

  it("passes on which programs the machine has, for another name", async () => {
    const { open, channel } = await setUp();
    const error = "this machine's list has no program of that name: it has Orders";
    channel.willAnswer(answered(404, { error, code: "unknown_program" }));
    expect(await open({ program: "xterm" })).toMatchObject({
      status: 404,
      body: { error_code: "driver_rejected", details: { driver_message: error } },
    });
  });

  it("is refused for a driver that opens none, in a batch, too", async () => {
    const { open, post, sent } = await setUp(["computer/batch"]);
    const refused = { status: 409, body: { error_code: "not_supported_by_driver" } };
    expect(await open({ program: "Orders" })).toMatchObject(refused);
    const actions = [
      { type: "move", x: 1, y: 1 },
      { type: "open", program: "Orders" },
    ];
    expect(await post("batch", { actions })).toMatchObject(refused);
    expect(sent()).toEqual([]);
  });

  it("takes no command", async () => {
    const { open, sent } = await setUp();
    for (const body of [{ program: "Orders", command: ["id"] }, { command: ["id"] }, { program: "" }]) {
      expect(await open(body)).toMatchObject({ status: 422 });
    }
    expect(sent()).toEqual([]);
  });

  it("is an action of a batch, once in it", async () => {
    const { post, channel, sent } = await setUp();
    channel.willAnswer(answered(200, { results: [{ type: "open", status: "done" }] }));
    const open = { type: "open", program: "Orders", target: "the program of orders" };
    expect(await post("batch", { actions: [open] })).toEqual({
      status: 200,
      body: { results: [{ type: "open", status: "done" }] },
    });
    expect(sent()).toMatchObject([["/computer/batch", { actions: [{ type: "open", if_open: "use" }] }]]);
    expect(await post("batch", { actions: [open, open] })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "actions", 1, "program"] }] },
    });
  });

  it("is done by itself for a driver that knows no batches", async () => {
    const { post, channel, sent } = await setUp(["open_program"]);
    channel.willAnswer(answered(200, { was_open: false, is_shown: true }));
    const { body } = await post("batch", { actions: [{ type: "open", program: "Orders" }] });
    expect(body).toEqual({ results: [{ type: "open", status: "done" }] });
    expect(sent()).toEqual([["/computer/programs/open", { program: "Orders", if_open: "use" }]]);
  });
});
