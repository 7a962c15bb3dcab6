import { desktopOf } from "../support/execution/demo-recording.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { OrderForm, orderSaved, orderScript } from "../support/execution/order-form.ts";
import { type Recording, record } from "../support/execution/record-demo.ts";
import { missingDisplayPrograms } from "../support/x-display/x-display.ts";
import { staysAlive } from "./bench-alive.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const places = sized(20, 1);

/** A form of zenity's on a real X display, filled in by replays wherever its window is, with other inputs each time. */
export async function measureProgram(): Promise<readonly Figure[]> {
  if (missingDisplayPrograms.length > 0) {
    throw new Error(`a real display needs ${missingDisplayPrograms.join(", ")}`);
  }
  return await staysAlive(async () => {
    const recorded = await OrderForm.open({ x: 0, y: 0 });
    const recording = await record(desktopOf(recorded.driver), orderScript, orderSaved, () =>
      recorded.untilSaved(),
    );
    await recorded.close();
    let good = 0;
    for (let place = 0; place < places; place += 1) {
      if (await isFilledIn(recording, place)) good += 1;
    }
    return [
      {
        figure: `replays on a real display with a real program that end well, ${places} places of its window`,
        measured: `${good}`,
        target: `${places}`,
        isReached: good === places,
      },
    ];
  });
}

async function isFilledIn(recording: Recording, place: number): Promise<boolean> {
  // Spread over 40 pixels to each side.
  const form = await OrderForm.open({ x: ((place * 37) % 81) - 40, y: ((place * 53) % 81) - 40 });
  try {
    const item = `Chair ${place}`;
    const world = await executionWorld({
      recording,
      driver: form.driver,
      inputs: { item, quantity: 12 + place },
      secrets: { pin: "97531" },
    });
    const executed = await world.execute();
    if (executed.kind !== "ended" || executed.status !== "success") {
      console.error(`place ${place}: ${JSON.stringify([executed, (await world.find())?.error])}`);
      return false;
    }
    return JSON.stringify(await form.order()) === JSON.stringify([item, String(12 + place), "97531"]);
  } finally {
    await form.close();
  }
}
