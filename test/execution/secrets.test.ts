import { beforeAll, describe, expect, it } from "vitest";
import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import type { Action } from "../../shared/domain/action/action.ts";
import { crop, type Picture } from "../../shared/domain/picture/picture.ts";
import type { DriverAnswer } from "../../shared/domain/tunnel/driver-channel.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { otpauthCodes } from "../../shared/secrets/otpauth-codes.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import {
  type ExecutionWorld,
  type ExecutionWorldOptions,
  executionWorld,
} from "../support/execution/execution-world.ts";
import { replyWith, wordsOf } from "../support/execution/fake-models.ts";
import { keptOf } from "../support/execution/kept-of.ts";
import { KillSwitch } from "../support/execution/kill-switch.ts";
import { plainRecording, smallDesk } from "../support/execution/plain-recording.ts";
import type { Recording } from "../support/execution/record-demo.ts";
import { Canvas } from "../support/pictures/canvas.ts";
import { sameScreens } from "../support/pictures/same-screens.ts";

let recording: Recording;

beforeAll(async () => {
  recording = await demoRecording();
});

function typing(text: string): Recording {
  const elements = recording.elements
    .slice(0, 6)
    .map((element, at) => (at === 3 ? { ...element, action: { type: "type", text } as const } : element));
  return { ...recording, elements, expect: [] };
}

async function picturesOf(world: ExecutionWorld, from = 4): Promise<readonly Picture[]> {
  const kept = (await world.steps()).filter(({ pictureKey, index }) => pictureKey !== null && index >= from);
  return await Promise.all(
    kept.map(async ({ pictureKey }) => {
      const png = await world.files.get(pictureKey ?? "", 24_000_000);
      return pngCodec.decode(png ?? new Uint8Array());
    }),
  );
}

function areSame(ones: readonly Picture[] = [], others: readonly Picture[] = []): readonly boolean[] {
  return ones.map((one, at) =>
    sameScreens(one, others[at] ?? { width: 0, height: 0, data: new Uint8Array() }),
  );
}

const canaries = ["Kxanmary-4711K", "K1147-yramnaxK"] as const;

describe("a secret", () => {
  it("is typed, and is in no step, trajectory, plan, picture's file, log or durable record", async () => {
    const [secret] = canaries;
    const world = await executionWorld({ recording: typing("{$pin}"), secrets: { pin: secret } });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.done.some(({ body }) => body.includes(secret))).toBe(true);
    const kept = await keptOf(world);
    expect(kept).toContain("{$pin}");
    expect(kept).not.toContain(secret);
  });

  it("is left in no response that came through the bucket", async () => {
    const passed: string[] = [];
    const world: ExecutionWorld = await executionWorld({
      recording: typing("{$pin}"),
      secrets: { pin: canaries[0] },
      between: async (request, driver) => {
        const answer = await driver.request(request);
        if (answer.kind !== "answered") return answer;
        const key = world.files.tunnelKey(world.organizationId, `answer-${passed.length}`);
        await world.files.put(key, answer.body, "application/octet-stream");
        passed.push(key);
        return { ...answer, kind: "stored", key, sizeBytes: answer.body.byteLength };
      },
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(passed.length).toBeGreaterThan(5);
    expect(await Promise.all(passed.map(async (key) => await world.files.has(key)))).not.toContain(true);
  });

  it.each<[string, () => Partial<ExecutionWorldOptions>]>([
    ["as it is", () => ({})],
    [
      "when the desktop sent no picture with it",
      () => ({
        between: async (request, driver) => {
          const answered = await driver.request(request);
          const isTyping = new TextDecoder().decode(request.body).includes('"type":"type"');
          return isTyping && answered.kind === "answered" ? withoutPicture(answered) : answered;
        },
      }),
    ],
    ["when its letters come late", () => ({ desk: { lateLettersMs: 1_500 } })],
    ["when its letters come one by one", () => ({ desk: { lateLettersMs: 300, letterMs: 400 } })],
    [
      "when its letters come late and its step was interrupted",
      () => ({ desk: { lateLettersMs: 1_500 }, kills: onceKilled("desktop /computer/batch", 4) }),
    ],
    ["when its step was interrupted", () => ({ kills: onceKilled("desktop /computer/batch", 4) })],
    ["when the next step was interrupted", () => ({ kills: onceKilled("desktop /computer/batch", 5) })],
  ])("is painted over in every picture, %s", async (_, options) => {
    const [one, other] = await Promise.all(
      canaries.map(async (pin) => {
        const recorded = { recording: typing("{$pin}"), secrets: { pin } };
        const world = await executionWorld({ ...recorded, ...options() });
        expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
        return await picturesOf(world);
      }),
    );
    expect(one?.length).toBeGreaterThan(1);
    expect(areSame(one, other)).toEqual(one?.map(() => true));
  });

  it.each<[string, DeskInput]>([
    ["late", { lateLettersMs: 2_500 }],
    ["late and one by one", { lateLettersMs: 300, letterMs: 150 }],
  ])("is painted over also where a model types it and its letters come %s", async (_, desk) => {
    const actions: readonly Action[] = [
      { type: "click", x: 650, y: 232 },
      { type: "type", text: "{$pin}" },
      { type: "click", x: 650, y: 274 },
      { type: "finish" },
    ];
    const [one, other] = await Promise.all(
      canaries.map(async (pin) => {
        const world = await executionWorld({
          recording,
          secrets: { pin },
          desk: { open: true, ...desk },
          workflow: { mainPrompt: "Type {$pin}." },
          model: { decide: (_request, nth) => replyWith([actions[nth - 1] ?? { type: "finish" }]) },
        });
        expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
        expect(wordsOf(world.requests[2]?.turns ?? [])).not.toContain("looks as before");
        return await picturesOf(world, 3);
      }),
    );
    expect(one?.length).toBeGreaterThan(1);
    expect(areSame(one, other)).toEqual(one?.map(() => true));
  });

  it("of sixty is painted over like the first one, in the last picture", async () => {
    const fields = Array.from({ length: 96 }, (_, at) => {
      const [column, row] = [at % 8, Math.floor(at / 8)];
      return {
        isWhite: (column + row) % 2 === 0,
        x: 8 + 80 * column,
        y: 4 + 32 * row,
        width: 64,
        height: 24,
      };
    });
    // As on a chessboard: the later ones lie between what is painted over by then.
    const order = [...fields.filter(({ isWhite }) => isWhite), ...fields.filter(({ isWhite }) => !isWhite)]
      .map(({ isWhite: _, ...field }) => field)
      .slice(0, 60);
    const canvas = new Canvas(640, 384, 0xd0d0d0);
    const elements = order.map((field) => ({
      ...({ action: { type: "type", text: "{$pin}" }, by: "replay", timeoutMs: 1_000 } as const),
      guard: { ...field, png: Buffer.from(pngCodec.encode(crop(canvas, field))).toString("base64") },
    }));
    let typed = 0;
    const world = await executionWorld({
      recording: { elements, expect: [], dimensions: canvas },
      workflow: { maxSteps: 100 },
      between: async ({ path }) => {
        const isTyping = path === "/computer/batch";
        const field = isTyping ? order[typed++] : undefined;
        if (field !== undefined) canvas.fill({ ...field, x: field.x + 4, width: 40 }, 0x2040ff);
        const png = pngCodec.encode(canvas);
        if (!isTyping) return { kind: "answered", status: 200, headers: {}, body: png };
        const screenshot = { png: Buffer.from(png).toString("base64"), settled: true };
        return answer({ results: [{ status: "done" }], screenshot });
      },
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(typed).toBe(60);
    const last = (await world.steps()).at(-1);
    const kept = pngCodec.decode(
      (await world.files.get(last?.pictureKey ?? "", 24_000_000)) ?? new Uint8Array(),
    );
    const colors = new Set(kept.data.filter((_, at) => at % 3 === 2));
    expect([colors.has(0x80), colors.has(0xff)]).toEqual([true, false]);
  });

  it("would be seen otherwise", async () => {
    const [one, other] = await Promise.all(
      canaries.map(async (item) => {
        const world = await executionWorld({ recording: typing("{item}"), inputs: { item, quantity: 2 } });
        await world.execute();
        return await picturesOf(world);
      }),
    );
    expect(areSame(one, other)[0]).toBe(false);
  });

  it("is redacted wherever the desktop gives it back", async () => {
    const pin = 'se"cr\\et canary-4711';
    const said = `[${pin}] ${JSON.stringify(pin)}`;
    const actions: readonly Action[] = [
      { type: "shell", command: "id", save_as: "shell" },
      { type: "read_file", path: "~/Transfers/a", save_as: "file" },
      { type: "copy_to_clipboard", save_as: "clipboard" },
      { type: "finish", output: { shell: "{shell}", file: "{file}", clipboard: "{clipboard}" } },
    ];
    const world = await executionWorld({
      recording: plainRecording(actions),
      desk: smallDesk,
      secrets: { pin },
      workflow: { allowShell: true },
      between: async ({ path }) => answerOf(path, said),
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const run = await world.find();
    const text = '[{$pin}] "{$pin}"';
    expect(run?.outputData).toMatchObject({ value: { shell: text, file: text, clipboard: text } });
    expect(await keptOf(world)).not.toContain("canary-4711");
  });

  it("is redacted in a desktop's error", async () => {
    const world = await executionWorld({
      recording: plainRecording([{ type: "shell", command: "id", save_as: "said" }]),
      desk: smallDesk,
      secrets: { pin: "canary-4711" },
      workflow: { allowShell: true },
      between: async () => answer({ stdout: "", stderr: "who is canary-4711?", exit_code: 1 }),
    });
    await world.execute();
    expect((await world.find())?.error[0]).toContain("who is {$pin}?");
    expect(await keptOf(world)).not.toContain("canary-4711");
  });

  it("is no part of what an input holds", async () => {
    const world = await executionWorld({
      recording: typing("{item}"),
      secrets: { pin: "canary-4711" },
      inputs: { item: "{$pin} {__proto__}", quantity: 2 },
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const typed = world.driver.screen.events.find(({ kind }) => kind === "type");
    expect(typed).toMatchObject({ text: "{$pin} {__proto__}" });
  });
});

describe("a one-time code", () => {
  const seed = "JBSWY3DPEHPK3PXP";

  it.each([
    ["a seed in base32", seed],
    ["an otpauth address", `otpauth://totp/a:b?secret=${seed}&digits=8&period=30`],
  ])("is made of %s, and one that is about to end is not typed", async (_, pin) => {
    const world = await executionWorld({ recording: typing("{$pin.totp}"), secrets: { pin } });
    const { clock } = world;
    clock.advance(30_000 - (clock.now() % 30_000) + 27_000);
    const endsMs = clock.now() + 3_000;
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const typed = world.driver.screen.events.find(({ kind }) => kind === "type");
    expect(typed).toMatchObject({ text: otpauthCodes.codeAt(pin, endsMs)?.code });
    expect(await keptOf(world)).not.toContain(seed);
  });

  it("ends the run when the secret is no seed, without its text", async () => {
    const world = await executionWorld({ recording: typing("{$pin.totp}"), secrets: { pin: "no seed!" } });
    await world.execute();
    expect(await world.find()).toMatchObject({ errorCode: "step_failed" });
    expect(await keptOf(world)).not.toContain("no seed!");
  });
});

function onceKilled(name: string, nth: number): KillSwitch {
  let seen = 0;
  return new KillSwitch((point) => point.name === name && point.when === "after" && ++seen === nth);
}

function answer(value: unknown): DriverAnswer {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { kind: "answered", status: 200, headers: { "content-type": "application/json" }, body };
}

function answerOf(path: string, said: string): DriverAnswer {
  if (path.startsWith("/computer/shell")) return answer({ stdout: said, exit_code: 0 });
  if (path.startsWith("/computer/fs")) return answer({ content: Buffer.from(said).toString("base64") });
  return answer({ results: [{ status: "done", answer: { text: said } }] });
}

function withoutPicture(given: Extract<DriverAnswer, { kind: "answered" }>): DriverAnswer {
  const { screenshot: _, ...rest } = JSON.parse(new TextDecoder().decode(given.body)) as {
    readonly screenshot?: unknown;
  };
  return answer({ ...rest, screenshot: null });
}
