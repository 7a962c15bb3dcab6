import type { Section } from "../shell/section.ts";
import "./rest.css";

export const restSections: readonly Section[] = [
  {
    path: "pools",
    title: "Pools",
    group: "Organize",
    list: async () => (await import("./pools/pool-list.tsx")).PoolList,
    item: async () => (await import("./pools/pool-page.tsx")).PoolPage,
  },
  {
    path: "schedules",
    title: "Schedules",
    list: async () => (await import("./schedules/schedule-list.tsx")).ScheduleList,
    item: async () => (await import("./schedules/schedule-page.tsx")).SchedulePage,
  },
  {
    path: "tags",
    title: "Tags",
    list: async () => (await import("./tags/tags-page.tsx")).TagsPage,
  },
  {
    path: "provider-keys",
    title: "Provider keys",
    group: "Connect",
    list: async () => (await import("./providers/provider-keys-page.tsx")).ProviderKeysPage,
  },
  {
    path: "models",
    title: "Models",
    list: async () => (await import("./models/models-page.tsx")).ModelsPage,
  },
  {
    path: "webhooks",
    title: "Webhooks",
    list: async () => (await import("./webhooks/endpoint-list.tsx")).EndpointList,
    item: async () => (await import("./webhooks/endpoint-page.tsx")).EndpointPage,
  },
  {
    path: "api-keys",
    title: "API keys",
    needs: "admin",
    list: async () => (await import("./keys/api-keys-page.tsx")).ApiKeysPage,
  },
  {
    path: "usage",
    title: "Usage",
    group: "Look back",
    list: async () => (await import("./usage/usage-page.tsx")).UsagePage,
  },
  {
    path: "audit",
    title: "Audit",
    list: async () => (await import("./records/audit-page.tsx")).AuditPage,
  },
  {
    path: "request-log",
    title: "Request log",
    list: async () => (await import("./records/request-log-page.tsx")).RequestLogPage,
  },
];
