const units = ["B", "KB", "MB", "GB"] as const;

export function bytesInWords(bytes: number): string {
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1_024 ** at;
  return `${value < 10 && at > 0 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
}

export function folderAbove(folder: string): string {
  const at = folder.lastIndexOf("/");
  return at <= 0 ? "." : folder.slice(0, at);
}

export function joinPath(folder: string, name: string): string {
  return folder === "." ? name : `${folder}/${name}`;
}
