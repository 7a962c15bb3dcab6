import { replyTosOf, withReplyTo } from "./binding.ts";
import { settle, startDriverEnd, welcomeFrames } from "./driver-end.ts";
import { contentOf, type EndName, type Exchange, type Frame, type Opening, wait } from "./exchange.ts";
import { helloFrame, startServiceEnd } from "./service-end.ts";

/** Long enough for an upload over loopback on a busy machine; nothing that works waits for its end. */
const turnsMax = 3_000;

interface End {
  readonly receive: (text: string) => void | Promise<void>;
  readonly outcome: () => object;
  readonly isDone: () => boolean;
  readonly begin: () => void | Promise<void>;
  readonly stop: () => Promise<void>;
}

/** An end that has been welcomed, unless the exchange begins with the handshake. */
async function start(name: EndName, opening: Opening, emit: (text: string) => void): Promise<End> {
  let isHeard = opening.handshake !== undefined;
  const heard = (text: string) => {
    if (isHeard) emit(text);
  };
  if (name === "driver") {
    const driver = await startDriverEnd(opening, heard);
    if (!isHeard) {
      await settle();
      for (const text of welcomeFrames) driver.receive(text);
      await settle();
    }
    isHeard = true;
    return {
      ...driver,
      begin: () => {},
      isDone: () => true,
      outcome: () => ({ ...(opening.handshake && { handshake: driver.headers() }), ...driver.outcome() }),
    };
  }
  const service = await startServiceEnd(opening, heard);
  if (!isHeard) await service.receive(helloFrame);
  isHeard = true;
  const { asked, dismissed } = opening;
  return {
    ...service,
    isDone: () => asked === undefined || service.isAnswered(),
    stop: async () => {},
    begin: async () => {
      if (asked !== undefined) void service.ask(asked);
      if (dismissed !== undefined) await service.dismiss(dismissed);
    },
  };
}

export async function recordBoth(opening: Opening): Promise<Exchange> {
  const frames: Frame[] = [];
  const ends: Partial<Record<EndName, End>> = {};
  ends.service = await start("service", opening, (text) => {
    frames.push({ service: frameOf(text) });
    setImmediate(() => void ends.driver?.receive(text));
  });
  ends.driver = await start("driver", opening, (text) => {
    frames.push({ driver: frameOf(text) });
    setImmediate(() => void ends.service?.receive(text));
  });
  const { driver, service } = ends;
  await service.begin();
  await until(() => service.isDone());
  await quiet(() => frames.length);
  const outcome = { ...driver.outcome(), ...service.outcome() };
  await driver.stop();
  return plain({ ...opening, frames, ...outcome });
}

export async function recordOne(
  opening: Opening,
  peer: (said: readonly (object | string)[]) => readonly (object | string)[],
): Promise<Exchange> {
  const [name = "driver"] = opening.ours;
  const frames: Frame[] = [];
  const end = await start(name, opening, (text) => frames.push(frame(name, frameOf(text))));
  await end.begin();
  await quiet(() => frames.length);
  for (const given of peer(frames.map(contentOf))) {
    frames.push(frame(name === "driver" ? "service" : "driver", given));
    await end.receive(textOf(given));
    await quiet(() => frames.length);
  }
  await until(() => end.isDone());
  const outcome = end.outcome();
  await end.stop();
  return plain({ ...opening, frames, ...outcome });
}

export async function replay(exchange: Exchange, name: EndName) {
  const said: Frame[] = [];
  const end = await start(name, exchange, (text) => said.push(frame(name, frameOf(text))));
  await end.begin();
  let expected = 0;
  for (const each of exchange.frames) {
    if (name in each) {
      expected += 1;
      continue;
    }
    await until(() => said.length >= expected);
    // A driver copies what the service says today.
    const content = withReplyTo(contentOf(each), replyTosOf(exchange.frames), replyTosOf(said));
    await end.receive(textOf(content));
  }
  await until(() => said.length >= expected && end.isDone());
  await quiet(() => said.length);
  const outcome = end.outcome();
  await end.stop();
  return plain({ frames: said, ...outcome });
}

function frame(from: EndName, content: object | string): Frame {
  return from === "driver" ? { driver: content } : { service: content };
}

function frameOf(text: string): object | string {
  return JSON.parse(text) as object;
}

function textOf(content: object | string): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

async function until(isReached: () => boolean): Promise<void> {
  for (let turn = 0; turn < turnsMax && !isReached(); turn += 1) await wait(1);
}

async function quiet(count: () => number): Promise<void> {
  for (let calm = 0, before = count(); calm < 5; calm += 1) {
    await wait(1);
    if (count() === before) continue;
    before = count();
    calm = 0;
  }
}
