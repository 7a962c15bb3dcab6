import { setTimeout as sleep } from "node:timers/promises";
import type { Damage } from "x11";
import type { Frame } from "../pictures/frame.ts";
import { areSame } from "../pictures/same-frames.ts";
import type { DisplayConnection } from "./display-connection.ts";

/** On a still screen, nothing is drawn between two frames that are compared. */
const quietMs = 100;
const everything = 0;

export interface StillFrame {
  readonly frame: Frame;
  readonly isSettled: boolean;
}

/** No further frame is read as long as the server reports no drawing. */
export async function captureStill(options: {
  readonly connection: DisplayConnection;
  readonly capture: () => Promise<Frame>;
  readonly settleMs: number;
  readonly signal: AbortSignal;
}): Promise<StillFrame> {
  const { connection, capture, settleMs, signal } = options;
  if (settleMs === 0) return { frame: await capture(), isSettled: false };
  const drawn = new Drawn(connection, await connection.findExtension("damage"));
  try {
    const endsAt = performance.now() + settleMs;
    drawn.forget();
    for (let frame = await capture(); ; ) {
      const isOver = performance.now() + quietMs > endsAt;
      if (isOver) return { frame, isSettled: false };
      const hasDrawn = await drawn.within(quietMs, signal);
      if (!hasDrawn) return { frame, isSettled: true };
      drawn.forget();
      const next = await capture();
      if (areSame(frame, next)) return { frame: next, isSettled: true };
      frame = next;
    }
  } finally {
    drawn.close();
  }
}

/** Where the server does not report drawing, everything counts as drawn. */
class Drawn {
  readonly #connection: DisplayConnection;
  readonly #damage: Damage | undefined;
  readonly #id: number;
  readonly #stop: () => void;
  #hasDrawn = false;

  constructor(connection: DisplayConnection, damage: Damage | undefined) {
    this.#connection = connection;
    this.#damage = damage;
    this.#id = connection.client.AllocID();
    this.#stop = connection.onEvent(({ name }) => {
      if (name === "DamageNotify") this.#hasDrawn = true;
    });
    damage?.Create(this.#id, connection.root, damage.ReportLevel.NonEmpty);
  }

  forget(): void {
    this.#hasDrawn = this.#damage === undefined;
    this.#damage?.Subtract(this.#id, everything, everything);
  }

  async within(ms: number, signal: AbortSignal): Promise<boolean> {
    await sleep(ms, undefined, { signal });
    await this.#connection.sync();
    return this.#hasDrawn;
  }

  close(): void {
    this.#stop();
    if (!this.#connection.isOpen) return;
    this.#damage?.Destroy(this.#id);
    this.#connection.client.ReleaseID(this.#id);
  }
}
