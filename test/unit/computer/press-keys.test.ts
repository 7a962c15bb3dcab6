import { describe, expect, it } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const connection = { id: "c", websocketId: "w=", host: "h" };

async function setUp(capabilities?: readonly string[]) {
  const service = await createTestService();
  const app = createComputerApp(service.deps);
  const { id } = await service.putMachine({ connection, ...(capabilities && { capabilities }) });
  service.channel.willAnswer(answered(200, {}), answered(200, {}));
  const ask = asking(app, service.authorize());
  const press = async (body: object) => {
    const { status, json } = await ask("POST", `/v1/computer/${id}/input/keyboard/key`, body);
    return { status, body: json };
  };
  const sent = () =>
    service.channel.requests.map(({ body }) => JSON.parse(Buffer.from(body ?? []).toString()));
  return { press, sent };
}

describe("keys with `down`", () => {
  it("go to a driver that names keys_down", async () => {
    const { press, sent } = await setUp(["keys_down"]);
    expect(await press({ text: "ctrl", down: true })).toEqual({ status: 200, body: {} });
    expect(await press({ text: "ctrl", down: false })).toEqual({ status: 200, body: {} });
    expect(sent()).toEqual([
      { text: "ctrl", down: true },
      { text: "ctrl", down: false },
    ]);
  });

  it("are refused for a driver that does not: it would press and release", async () => {
    const { press, sent } = await setUp();
    for (const down of [true, false]) {
      const { status, body } = await press({ text: "ctrl", down });
      expect([status, body]).toEqual([
        409,
        expect.objectContaining({ error_code: "not_supported_by_driver" }),
      ]);
    }
    expect(await press({ text: "ctrl" })).toEqual({ status: 200, body: {} });
    expect(sent()).toEqual([{ text: "ctrl" }]);
  });
});
