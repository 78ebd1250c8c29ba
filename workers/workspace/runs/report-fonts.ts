import { createRequire } from 'node:module';

const fontFile = (path: string): string => createRequire(import.meta.url).resolve(`@expo-google-fonts/${path}`);

/** The files of Inter, for the text of PDF reports and of PNG pictures. */
export const inter = {
  normal: fontFile('inter/400Regular/Inter_400Regular.ttf'),
  bold: fontFile('inter/600SemiBold/Inter_600SemiBold.ttf'),
} as const;

/** The file of JetBrains Mono, for the code of PDF reports. */
export const mono = { normal: fontFile('jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf') } as const;
