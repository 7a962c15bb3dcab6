import "./workflows.css";
import type { Section } from "../shell/section.ts";

export const workflowsSections: readonly Section[] = [
  {
    path: "workflows",
    title: "Workflows",
    list: async () => (await import("./list/workflow-list.tsx")).WorkflowList,
    item: async () => (await import("./workflow-page.tsx")).WorkflowPage,
  },
  {
    path: "trajectories",
    title: "Trajectories",
    isInNavigation: false,
    list: async () => (await import("./list/workflow-list.tsx")).WorkflowList,
    item: async () => (await import("./trajectory/trajectory-page.tsx")).TrajectoryPage,
  },
];
