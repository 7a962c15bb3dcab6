import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import type { ArrivedEvent, ScreenWorld } from "../ports/screen.suite.ts";

export function openSimulatedWorld(): ScreenWorld {
  const size = { width: 1280, height: 800 };
  const screen = new SimulatedScreen({ desk: { size, open: true } });
  let seen = 0;
  return {
    desktop: createLocalDesktop({ screen, root: "/nowhere", allowShell: false }),
    size,
    async observe() {
      const arrived = screen.events.slice(seen);
      seen = screen.events.length;
      return {
        events: arrived.filter(
          (event): event is ArrivedEvent => event.kind !== "move" && event.kind !== "type",
        ),
        text: arrived.map((event) => (event.kind === "type" ? event.text : "")).join(""),
      };
    },
    async offerToCopy(text) {
      const { x = 0, y = 0 } = screen.desk.boundsOf("note") ?? {};
      await screen.clickMouse({ button: "left", clicks: 1, x: x + 10, y: y + 10 });
      await screen.typeText({ text });
      await screen.pressKeys({ text: "ctrl+a" });
    },
  };
}
