/** The line that enrols a device (decisions, 'Calls whose form is not shown'). */
export function installCommand(hub: string, accountId: string, token: string): string {
  return `curl -fsSL '${hub}/install/${accountId}?token=${encodeURIComponent(token)}' | sudo sh`;
}
