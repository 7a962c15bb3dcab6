import "../screen/screen.css";
import "./machines.css";
import type { Section } from "../shell/section.ts";

export const machinesSections: readonly Section[] = [
  {
    path: "machines",
    title: "Machines",
    list: async () => (await import("./machine-list.tsx")).MachineList,
    item: async () => (await import("./machine-page.tsx")).MachinePage,
  },
];
