package org.gelato.ce.core.wrapper;

/** The same with a script that is whole, as worker nodes get it that share no files with the CE. */
class WholeWrapperMessagesTest extends WrapperMessagesTest {
    @Override
    boolean isWhole() {
        return true;
    }
}
