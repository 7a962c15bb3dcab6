import type { Size } from "../driver/screens/screen.ts";
import type { Box, Canvas } from "./drawing/canvas.ts";
import { textWidth } from "./drawing/font.ts";
import type { Theme } from "./drawing/theme.ts";

export const taskbarHeight = 36;
export const iconBox: Box = { x: 24, y: 24, width: 88, height: 84 };

const splashSize = { width: 260, height: 96 };
const iconScale = 2;
const spinnerTurnMs = 800;
const spinnerDots = 8;
const spinnerRadius = 7;

export function drawProgramIcon(canvas: Canvas, theme: Theme, scale = 1): void {
  const box = (x: number, y: number, width: number, height: number) => ({
    x: x * scale,
    y: y * scale,
    width: width * scale,
    height: height * scale,
  });
  canvas.panel(box(2, 0, 16, 20), theme.accentPressed, theme.field);
  for (const y of [5, 9, 13]) canvas.fill(box(5, y, 10, 2), theme.accent);
}

export function drawWallpaper(canvas: Canvas, size: Size, { wallpaper: [top, bottom] }: Theme): void {
  canvas.fade({ x: 0, y: 0, ...size }, top, bottom);
}

export function drawDesktopIcon(canvas: Canvas, theme: Theme, isSelected: boolean): void {
  if (isSelected) canvas.tint(iconBox, theme.accent, 120);
  const { x, y, width } = iconBox;
  drawProgramIcon(canvas.within({ x: x + 24, y: y + 10, width: 40, height: 40 }), theme, iconScale);
  canvas.centeredText({ x, y: y + 58, width, height: 22 }, "Orders", { color: theme.taskbarText });
}

export function drawSplash(canvas: Canvas, size: Size, theme: Theme): void {
  const { width, height } = splashSize;
  const [x, y] = [Math.floor((size.width - width) / 2), Math.floor((size.height - height) / 2)];
  canvas.panel({ x, y, width, height }, theme.faintText, theme.window);
  drawProgramIcon(canvas.within({ x: x + 24, y: y + 28, width: 40, height: 40 }), theme, iconScale);
  canvas.text({ x: x + 84, y: y + 30 }, "Orders", { color: theme.text, isBold: true });
  canvas.text({ x: x + 84, y: y + 50 }, "Loading…", { color: theme.faintText });
}

export function drawTaskbar(
  canvas: Canvas,
  size: Size,
  theme: Theme,
  { isOpen, clock }: { readonly isOpen: boolean; readonly clock: string | undefined },
): void {
  const y = size.height - taskbarHeight;
  canvas.fill({ x: 0, y, width: size.width, height: taskbarHeight }, theme.taskbar);
  const style = { color: theme.taskbarText };
  if (isOpen) {
    canvas.tint({ x: 8, y: y + 4, width: 130, height: taskbarHeight - 8 }, theme.taskbarText, 40);
    drawProgramIcon(canvas.within({ x: 18, y: y + 8, width: 20, height: 20 }), theme);
    canvas.text({ x: 48, y: y + 9 }, "Orders", style);
  }
  const name = "Simulated desktop";
  const right = size.width - 16 - (clock === undefined ? 0 : textWidth("00:00:00") + 24);
  canvas.text({ x: right - textWidth(name), y: y + 9 }, name, style);
  if (clock !== undefined) {
    canvas.text({ x: size.width - 16 - textWidth("00:00:00"), y: y + 9 }, clock, style);
  }
}

export function drawSpinner(canvas: Canvas, theme: Theme, now: number): void {
  const bright = Math.floor((now % spinnerTurnMs) / (spinnerTurnMs / spinnerDots));
  for (let dot = 0; dot < spinnerDots; dot += 1) {
    const angle = (dot / spinnerDots) * 2 * Math.PI;
    const x = Math.round(spinnerRadius + spinnerRadius * Math.sin(angle));
    const y = Math.round(spinnerRadius - spinnerRadius * Math.cos(angle));
    canvas.fill({ x, y, width: 3, height: 3 }, dot === bright ? theme.accent : theme.border);
  }
}
