export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof httpMethods)[number];

export const desktopMethods = ["GET", "POST"] as const;
export type DesktopMethod = (typeof desktopMethods)[number];
