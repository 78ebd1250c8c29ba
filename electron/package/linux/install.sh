#!/bin/sh
# Installs Dyno from this folder, or removes an installed one:
#
#   install.sh [--prefix FOLDER] [--remove]
#
# The default prefix is /usr/local for root, and ~/.local for other users, who need no rights for it.
set -eu
# What root installs is for all users, also where this runs under another mask, as makeself's 077.
umask 022
here=$(dirname "$(readlink -f "$0")")
if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
remove=no
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=$2; shift ;;
    --remove) remove=yes ;;
    *) sed -n '2,6p' "$0" >&2; exit 2 ;;
  esac
  shift
done
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac

# The copy of this script in an installed Dyno can only remove it.
if [ "$remove" = no ] && [ ! -d "$here/lib/dyno" ]; then
  echo "There is no Dyno beside this script to install; --remove removes the installed one." >&2
  exit 2
fi
rm -rf "$prefix/lib/dyno"
if [ "$remove" = yes ]; then
  rm -f "$prefix/bin/dyno" "$prefix/share/applications/dyno.desktop" "$prefix/share/mime/packages/dyno.xml"
  rm -f "$prefix"/share/icons/hicolor/*/apps/dyno.*
  rm -rf "$prefix/share/doc/dyno"
else
  mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share"
  cp -R "$here/lib/dyno" "$prefix/lib/dyno"
  cp -R "$here/share/." "$prefix/share"
  cp "$here/install.sh" "$prefix/lib/dyno/install.sh"
  ln -sf ../lib/dyno/bin/dyno "$prefix/bin/dyno"
  sed -i "s|^Exec=/usr/lib|Exec=$prefix/lib|" "$prefix/share/applications/dyno.desktop"
  # Chromium's sandbox needs this helper where the system denies user namespaces to ordinary programs.
  if [ "$(id -u)" = 0 ]; then chmod 4755 "$prefix/lib/dyno/chrome-sandbox"; fi
fi
if command -v update-mime-database >/dev/null; then update-mime-database "$prefix/share/mime" || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$prefix/share/applications" || true; fi

if [ "$remove" = yes ]; then
  echo "Dyno is removed from $prefix. Your experiments and runs stay."
else
  echo "Dyno is in $prefix/lib/dyno; the command line is $prefix/bin/dyno."
  echo "To remove it: sh $prefix/lib/dyno/install.sh --prefix $prefix --remove"
  problem=$("$prefix/lib/dyno/bin/sandbox-problem" "$prefix/lib/dyno/dyno-window") ||
    printf '\nThe command line works. The window does not open yet:\n%s\n' "$problem"
fi
