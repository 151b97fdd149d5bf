package org.gelato.ce.ws.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network, such as {@code 192.0.2.0/24} or {@code 2001:db8::/32}, or one address.
 *
 * @param network any address of it
 * @param bits how many leading bits all its addresses share
 */
public record AddressRange(InetAddress network, int bits) {
    /** Nothing that would be looked up as a name. */
    private static final Pattern TEXT =
            Pattern.compile("([0-9]+(?:\\.[0-9]+){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)(?:/([0-9]{1,3}))?");

    /** @throws IllegalArgumentException when the text is neither network nor address */
    public static AddressRange parse(String text) {
        Matcher m = TEXT.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException(text + " is no network such as 192.0.2.0/24");
        }
        try {
            InetAddress network = InetAddress.getByName(m.group(1));
            int all = network.getAddress().length * Byte.SIZE;
            int bits = m.group(2) == null ? all : Integer.parseInt(m.group(2));
            if (bits > all) {
                throw new IllegalArgumentException(text + " has more than " + all + " bits");
            }
            return new AddressRange(network, bits);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " is no network such as 192.0.2.0/24", e);
        }
    }

    /** Whether an address is in it; one of the other version of IP never does. */
    public boolean contains(InetAddress address) {
        byte[] mine = network.getAddress();
        byte[] theirs = address.getAddress();
        if (mine.length != theirs.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if ((mine[bit / Byte.SIZE] & mask) != (theirs[bit / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }
}
