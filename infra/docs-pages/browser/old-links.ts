/** Until 2026-11-27 one page had all operations, each under `/docs#/<group>/<operation>`. */
export function followOldLink(): void {
  const [, id] = /^#\/[^/]+\/(\w+)$/.exec(location.hash) ?? [];
  if (location.pathname === "/docs" && id !== undefined) location.replace(`/docs/operations/${id}`);
}
