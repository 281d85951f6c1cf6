# Finds what ./sluice and scripts/test need. To be sourced by them; bash 3.2, which macOS has, is enough.
#
#   setup NAME THING...   THING is java, jdk, maven, nginx, haproxy, caddy, chromium, redis-cli, curl or openssl. NAME begins every message.
#
# Sets java to the Java to use. Where something is missing, root on Debian or Ubuntu gets it installed. Everybody else is told
# the names of the packages, and the script ends with exit code 2. Messages go to stderr: stdout belongs to the command.
#
# A JAVA_HOME that is set is used or refused, never replaced. Without it, the java on the PATH is used. If there is none or it is
# too old, an installed one of the usual places is, and JAVA_HOME is set to it for this run.
#
#   SLUICE_SETUP_ROOT     for tests: a directory in place of /, with the usual places of Java

setup_java_least=17
setup_maven_least=3.8.7
setup_root=${SLUICE_SETUP_ROOT:-}

setup_say() {
  echo "$setup_name: $*" >&2
}

setup() {
  setup_name=$1
  shift
  setup_find "$@"
  [ -z "$setup_missing" ] && return
  if [ "$(setup_system)" = debian ] && [ "$(id -u)" = 0 ]; then
    setup_install $setup_missing
    setup_find "$@"
    [ -z "$setup_missing" ] && return
    setup_say "still missing: $setup_found"
    setup_say "get it from https://adoptium.net (Java) or https://maven.apache.org (Maven), and put it on the PATH"
  else
    setup_say "missing: $setup_found"
    setup_advise $setup_missing
  fi
  exit 2
}

# Sets setup_missing to the things that are missing, and setup_found to the same in words.
setup_find() {
  local thing
  setup_missing=
  setup_found=
  for thing in "$@"; do
    case $thing in
      java | jdk) setup_find_java "$thing" ;;
      maven) setup_find_maven ;;
      # The directory of daemons is not on every PATH.
      *) command -v "$thing" >/dev/null || [ -x "$setup_root/usr/sbin/$thing" ] || setup_miss "$thing" "$thing" ;;
    esac
  done
}

setup_miss() { # thing, in words
  setup_missing="${setup_missing:+$setup_missing }$1"
  setup_found="${setup_found:+$setup_found; }$2"
}

setup_find_java() { # java or jdk
  local expected="Java $setup_java_least or newer" home why
  [ "$1" = jdk ] && expected="a JDK $setup_java_least or newer"
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    why=$(setup_java_problem "$1" "$java" "$JAVA_HOME/bin/javac") || {
      setup_say "JAVA_HOME=$JAVA_HOME: $why (expected: $expected; set JAVA_HOME to one, or unset it)"
      exit 2
    }
    return
  fi
  java=$(command -v java) || java=
  why=$(setup_java_problem "$1" "$java" "$(command -v javac)") && return
  for home in "$setup_root"/usr/lib/jvm/* "$setup_root"/opt/homebrew/opt/openjdk* "$setup_root"/usr/local/opt/openjdk* \
    "$setup_root"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if setup_java_problem "$1" "$home/bin/java" "$home/bin/javac" >/dev/null; then
      java=$home/bin/java
      export JAVA_HOME=$home
      return
    fi
  done
  setup_miss "$1" "$expected (found: $why)"
}

# Prints why this is not the Java that is needed; succeeds if it is.
setup_java_problem() { # java or jdk, the program java, the program javac
  local version major
  if [ ! -x "$2" ]; then
    echo "no java"
    return 1
  fi
  version=$(setup_java_version "$2")
  major=${version#1.}
  major=${major%%[!0-9]*}
  if [ "${major:-0}" -lt "$setup_java_least" ]; then
    echo "$2 is Java ${version:-of an unknown version}"
    return 1
  fi
  if [ "$1" = jdk ] && [ ! -x "$3" ]; then
    echo "$2 is Java $version, without the compiler javac"
    return 1
  fi
}

# A JDK says its version in a file, which is much faster than asking the JVM.
setup_java_version() { # the program java
  local release version
  release=$(dirname "$(dirname "$(readlink -f "$1" 2>/dev/null || echo "$1")")")/release
  version=$(sed -n 's/^JAVA_VERSION="\(.*\)"$/\1/p' "$release" 2>/dev/null) || true
  if [ -z "$version" ]; then
    version=$("$1" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1) || true
  fi
  echo "$version"
}

setup_find_maven() {
  local mvn version
  # A build ends before code of the optimizing compiler would pay: this halves the processor time.
  case "${MAVEN_OPTS:-}" in
    *TieredStopAtLevel*) ;;
    *) export MAVEN_OPTS="-XX:TieredStopAtLevel=1 ${MAVEN_OPTS:-}" ;;
  esac
  if ! mvn=$(command -v mvn); then
    setup_miss maven "Maven $setup_maven_least or newer (found: no mvn)"
    return
  fi
  # Without Java it cannot say its version.
  case " $setup_missing " in *" jdk "*) return ;; esac
  version=$(mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1) || true
  setup_is_at_least "${version:-0}" "$setup_maven_least" ||
    setup_miss maven "Maven $setup_maven_least or newer (found: $mvn is Maven ${version:-of an unknown version})"
}

setup_is_at_least() { # version, least version: three numbers each
  local IFS=. i
  local -a have=($1) least=($2)
  for i in 0 1 2; do
    [ "${have[i]:-0}" -gt "${least[i]:-0}" ] && return 0
    [ "${have[i]:-0}" -lt "${least[i]:-0}" ] && return 1
  done
  return 0
}

# The system, by its package manager.
setup_system() {
  local pair
  for pair in apt-get:debian dnf:fedora apk:alpine pacman:arch zypper:suse brew:macos; do
    if command -v "${pair%%:*}" >/dev/null; then
      echo "${pair##*:}"
      return
    fi
  done
  if [ "$(uname -s)" = Darwin ]; then echo macos; else echo other; fi
}

# The package that has a thing.
setup_package() { # system, thing
  case $1:$2 in
    debian:java) setup_debian_java jre ;;
    debian:jdk) setup_debian_java jdk ;;
    debian:redis-cli) echo redis-tools ;;
    fedora:java | suse:java) echo java-21-openjdk-headless ;;
    fedora:jdk | suse:jdk) echo java-21-openjdk-devel ;;
    alpine:java) echo openjdk21-jre-headless ;;
    alpine:jdk) echo openjdk21-jdk ;;
    arch:java) echo jre21-openjdk-headless ;;
    arch:jdk) echo jdk21-openjdk ;;
    macos:java | macos:jdk) echo openjdk ;;
    *:redis-cli) echo redis ;;
    *) echo "$2" ;;
  esac
}

# Releases of Debian and Ubuntu have different versions of Java, and the default one of some is too old.
setup_debian_java() { # jre or jdk
  local version
  for version in 17 21 25; do
    if apt-cache show "openjdk-$version-$1-headless" >/dev/null 2>&1; then
      echo "openjdk-$version-$1-headless"
      return
    fi
  done
  echo "default-$1-headless"
}

setup_packages() { # system, things
  local system=$1 thing packages=
  shift
  for thing in "$@"; do
    packages="$packages $(setup_package "$system" "$thing")"
  done
  echo "${packages# }"
}

setup_command() { # system, things
  case $1 in
    debian) echo "apt-get install $(setup_packages "$@")" ;;
    fedora) echo "dnf install $(setup_packages "$@")" ;;
    alpine) echo "apk add $(setup_packages "$@")" ;;
    arch) echo "pacman -S $(setup_packages "$@")" ;;
    suse) echo "zypper install $(setup_packages "$@")" ;;
    macos) echo "brew install $(setup_packages "$@")" ;;
  esac
}

# Says how to install things, on this system or, if it is not known, on each.
setup_advise() {
  local system
  system=$(setup_system)
  case $system in
    other)
      setup_say "install it, for example with:"
      for system in "debian:Debian, Ubuntu" "fedora:Fedora, RHEL" "alpine:Alpine" "arch:Arch" "suse:openSUSE" "macos:macOS"; do
        printf '  %-16s %s\n' "${system#*:}" "$(setup_command "${system%%:*}" "$@")" >&2
      done
      ;;
    macos) setup_say "install it with: $(setup_command macos "$@")" ;;
    *)
      if [ "$(id -u)" = 0 ]; then
        setup_say "install it with: $(setup_command "$system" "$@")"
      elif command -v sudo >/dev/null; then
        setup_say "install it with: sudo $(setup_command "$system" "$@")"
      else
        setup_say "install it, as root, with: $(setup_command "$system" "$@")"
      fi
      ;;
  esac
}

# Gets the lists of packages. A machine that has just started may be doing that itself, and apt-get does not wait for its end.
setup_update() { # log
  local wait
  for wait in 1 2 4 8 16 32 64; do
    LC_ALL=C apt-get update -qq </dev/null >"$1" 2>&1 && return
    grep -q 'Could not get lock' "$1" || return 1
    [ "$wait" -gt 1 ] || setup_say "waiting for another apt-get..."
    sleep "$wait"
  done
  LC_ALL=C apt-get update -qq </dev/null >"$1" 2>&1
}

setup_install() { # things
  local log packages
  log=$(mktemp)
  setup_say "missing: $setup_found"
  if setup_update "$log" && packages=$(setup_packages debian "$@") &&
    setup_say "installing $packages" &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 $packages \
      </dev/null >>"$log" 2>&1; then
    rm -f "$log"
    # Bash remembers where programs are.
    hash -r
    return
  fi
  cat "$log" >&2
  rm -f "$log"
  setup_say "apt-get failed, see above (expected: to install $(setup_packages debian "$@"))"
  exit 2
}
