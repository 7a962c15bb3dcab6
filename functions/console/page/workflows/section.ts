import "./workflows.css";
import "./record/record.css";
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
    isOf: "workflows",
    list: async () => (await import("./list/workflow-list.tsx")).WorkflowList,
    item: async () => (await import("./trajectory/trajectory-page.tsx")).TrajectoryPage,
  },
  {
    path: "recordings",
    title: "Recordings",
    isOf: "workflows",
    list: async () => (await import("./record/start-recording.tsx")).StartRecording,
    item: async () => (await import("./record/recording-page.tsx")).RecordingPage,
  },
];
